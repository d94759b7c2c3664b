"""Opponents: given an observation and a limit, a decision.

Knows what a seat may know, and nothing else: no agent is ever handed a
`Position`. Does not know tables, records or who it plays against. The way in
is `registry.make_agent`.
"""
