"""Scoring balance: what a rule does to the game, and at which value two ways to play are equal.

docs/balance.md says what is measured, and under which assumptions about the players.
"""
