"""Events, their rooms, rounds, rules, options and rehearsals."""
