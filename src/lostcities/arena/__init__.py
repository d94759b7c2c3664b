"""Agents against agents, fairly: whole rounds, duplicate deals, figures with intervals.

Knows the rules and what an agent is. Does not know how any agent thinks, shows
agents nothing but their observations, and keeps no records. Standard library only.
"""
