/* The limit: random rounds of Lost Cities as fast as a C compiler makes them on this processor.
 *
 * Plays exactly the games of lostcities.kernel.playout: the same splitmix64 stream a round, the
 * same shuffle, the same order of choices; the fingerprint proves it. Everything lives in
 * registers, no branch depends on a random number, the i-th set bit comes from BMI2.
 *
 *     gcc -O3 -march=native -o limit limit.c && ./limit COLORS SEED COUNT
 *
 * prints: fingerprint, turns, nanoseconds of CPU time.
 */
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t word;

#define WAGERS 0x0004010040100401ULL /* bit 0 of every ten bits, six times */
#define GAMMA 0x9E3779B97F4A7C15ULL
#define ROUND 0xD1342543DE82EF95ULL

static word closes[64];
static uint8_t slots[64], marks[64];
static int16_t points[5][512]; /* by wagers and ranks */

static inline word mix(word z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

static inline word below(word half, word bound) { return (half * bound) >> 32; }

static void make_tables(void) {
    for (int type = 0; type < 60; type++) {
        int color = type / 10, kind = type % 10;
        closes[type] = kind ? ((2ULL << kind) - 1) << (10 * color) : 0;
        slots[type] = 1 + color;
        marks[type] = kind + 1;
    }
    for (int wagers = 0; wagers < 5; wagers++)
        for (int ranks = 0; ranks < 512; ranks++) {
            int sum = 0, cards = wagers + __builtin_popcount(ranks);
            for (int kind = 0; kind < 9; kind++)
                if (ranks >> kind & 1) sum += kind + 2;
            points[wagers][ranks] =
                cards ? (sum - 20) * (1 + wagers) + (cards >= 8 ? 20 : 0) : 0;
        }
}

static inline int score(word played, word wagers, int colors) {
    int total = 0;
    for (int color = 0; color < colors; color++)
        total += points[wagers >> (10 * color + 3) & 7][played >> (10 * color + 1) & 511];
    return total;
}

static inline void swap(uint8_t *one, uint8_t *other) {
    uint8_t kept = *one;
    *one = *other;
    *other = kept;
}

static inline word shuffle(uint8_t *cards, int num, word stream) {
    int left = num;
    while (left > 1) {
        stream += GAMMA;
        word random = mix(stream);
        left--;
        swap(cards + left, cards + below(random >> 32, left + 1));
        if (left > 1) {
            left--;
            swap(cards + left, cards + below(random & 0xFFFFFFFF, left + 1));
        }
    }
    return stream;
}

/* One of two values without a branch. The empty instruction keeps gcc from undoing it: gcc would
 * rather load a card only when it is wanted, and guess whether it is. */
static inline word pick(int is_first, word first, word second) {
    __asm__("" : "+r"(first), "+r"(second));
    return is_first ? first : second;
}

#define TURN(hand, fitting, played, wagers)                                                    \
    do {                                                                                       \
        stream += GAMMA;                                                                       \
        word random = mix(stream);                                                             \
        word plays = hand & fitting, num_plays = _mm_popcnt_u64(plays);                        \
        word rank = below(random >> 32, num_plays + _mm_popcnt_u64(hand));                     \
        word discards = -(word)(rank >= num_plays);                                            \
        word bit = _pdep_u64(1ULL << (rank - (num_plays & discards)), hand & (fitting | discards)); \
        word type = _tzcnt_u64(bit), wager = bit & WAGERS;                                     \
        wagers -= wager;                                                                       \
        hand ^= pick((wagers & (wager * 7)) == 0, bit, 0);                                     \
        wagers += wager << 3 & ~discards;                                                      \
        played |= bit & ~discards;                                                             \
        fitting &= ~(closes[type] & ~discards);                                                \
        word slot = slots[type] & discards;                                                    \
        stacks[slot] = stacks[slot] << 4 | marks[type];                                        \
        sources |= 1ULL << slot;                                                               \
        word open = (sources & ~(1ULL << slot)) | 1;                                           \
        word from = _tzcnt_u64(                                                                \
            _pdep_u64(1ULL << below(random & 0xFFFFFFFF, _mm_popcnt_u64(open)), open));        \
        word stack = stacks[from], rest = stack >> 4;                                          \
        stacks[from] = rest;                                                                   \
        word from_pile = 10 * from + (stack & 15) - 11, from_deck = deck[next];                \
        word drawn = pick(from == 0, from_deck, from_pile);                                    \
        next += from == 0;                                                                     \
        sources = (sources & ~((word)(rest == 0) << from)) | 1;                                \
        hand |= 1ULL << drawn;                                                                 \
        wagers += 1ULL << drawn & WAGERS;                                                      \
        turns++;                                                                               \
    } while (0)

static inline int play(const uint8_t *deck, int num, word stream, word *results) {
    word hand = 0, other_hand = 0, wagers = 0, other_wagers = 0;
    for (int index = 0; index < 16; index += 2) {
        hand |= 1ULL << deck[index];
        wagers += 1ULL << deck[index] & WAGERS;
        other_hand |= 1ULL << deck[index + 1];
        other_wagers += 1ULL << deck[index + 1] & WAGERS;
    }
    word fitting = ~0ULL, other_fitting = ~0ULL, played = 0, other_played = 0;
    word stacks[8] = {0}, sources = 1, next = 16;
    int turns = 0;
    for (;;) {
        TURN(hand, fitting, played, wagers);
        if (next == (word)num) break;
        TURN(other_hand, other_fitting, other_played, other_wagers);
        if (next == (word)num) break;
    }
    results[0] = played, results[1] = wagers, results[2] = other_played, results[3] = other_wagers;
    return turns;
}

static uint64_t nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    int colors = atoi(argv[1]), count = atoi(argv[3]);
    word seed = strtoull(argv[2], NULL, 10);
    uint8_t sorted[72], cards[80] = {0};
    int num = 0;
    for (int color = 0; color < colors; color++)
        for (int copy = 0; copy < 12; copy++) sorted[num++] = 10 * color + (copy < 3 ? 0 : copy - 2);
    make_tables();
    uint64_t begin = nanoseconds();
    word fingerprint = 0, all_turns = 0;
    for (word number = 0; number < (word)count; number++) {
        word results[4];
        memcpy(cards, sorted, num);
        word stream = shuffle(cards, num, seed + number * ROUND);
        int turns = play(cards, num, stream, results);
        int first = score(results[0], results[1], colors);
        int second = score(results[2], results[3], colors);
        word result = (word)turns << 32 | (word)(first & 0xFFFF) << 16 | (word)(second & 0xFFFF);
        fingerprint += mix(result ^ mix(number));
        all_turns += turns;
    }
    uint64_t end = nanoseconds();
    printf("%llu %llu %llu\n", (unsigned long long)fingerprint, (unsigned long long)all_turns,
           (unsigned long long)(end - begin));
    return 0;
}
