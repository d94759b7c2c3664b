"""The record of the specification, and the least that a record needs."""

RECORD = """[Game "Lost Cities"]
[Colors "5"]
[Round "1/3"]
[A "Ada"]
[B "Ben"]
[Starter "A"]
[Deal "R3B6G8W6YxG9RxB8Y7W2G6W7Y9GxY3G5WTR8G4BxR7RxWxR2Y5W3R6R4W8B2G2R9YxBxBxB7W9GTY6YxRxB4YTG7G3Y8W5BTY2R5WxB9B3Y4W4RTGxWxB5Gx"]
[Result "A 60 B 17"]

1. Yx/D -Gx/D 2. Y3/D -W2/D 3. Y7/D -Bx/D 4. Y9/D -Rx/D
5. G4/D -R2/D 6. G6/D -G5/D 7. G8/D -W3/D 8. Wx/W -B2/D
9. W3/D -G2/D 10. Rx/R -Yx/D 11. R2/D -Bx/D 12. R3/D B6/D
13. R6/D B7/D 14. R7/D B8/D 15. R9/D -Yx/D 16. YT/D -B4/D
17. -Rx/D G7/D 18. W5/D BT/D 19. W8/D G9/D 20. W9/D GT/D
21. WT/D -Y4/D 22. -G3/D -R4/D 23. -Gx/D -Wx/D #
"""
END = (
    "x379T/-/x3589T/468/x23679 -/678T/-/79T/- xx4/x2x4/2x/x523x/xx4 256/x35/x4/-/- "
    "8/9/67/x/58T 0 # 1/3,A,60,17"
)

HEAD = '[Colors "5"]\n[Starter "A"]\n'
