"""A match against the computer in the terminal, as a screen or as plain lines.

Knows what people type and what a terminal can show; keeps the running match in
a file. Holds no rules: it asks the table, and shows the table's views.
"""
