"""All that it takes to verify the deals of a finished match, and what this program finds itself."""

from lostcities.play import SPECTATOR, Stage, Table
from lostcities.play.fairness import SCHEME
from lostcities.play.recording import match_records
from lostcities.play.verification import verify_deals
from lostcities.server import schema
from lostcities.server.views import name_of, variant_info


def proof_of(table: Table) -> schema.Proof | None:
    """Return the proof, None while the match goes on."""
    view = table.view(SPECTATOR)
    if view.stage is not Stage.OVER or view.secret is None:
        return None
    records = match_records(table, SPECTATOR)
    checks = verify_deals(records, commitment=view.commitment) if records else ()
    return schema.Proof(
        scheme=SCHEME,
        match_id=view.match_id,
        commitment=view.commitment,
        secret=view.secret,
        entropy=schema.HexTexts(A=view.entropy[0].hex(), B=view.entropy[1].hex()),
        first_starter=None if view.first_starter is None else name_of(view.first_starter),
        variant=variant_info(view.variant),
        rounds=[
            schema.RoundProof(
                round=record.standing.round_number,
                starter=name_of(record.standing.starter),
                deal=[str(card) for card in record.deal or ()],
            )
            for record in records
        ],
        checks=[
            schema.CheckInfo(what=check.what, ok=check.problem is None, problem=check.problem)
            for check in checks
        ],
    )
