"""Scoring balance: what a rule does to the game, and at which value two ways to play are equal."""
