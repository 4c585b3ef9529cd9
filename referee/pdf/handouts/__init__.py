"""Documents to cut, fold or hand out: blank slips, table cards, table plan, certificates, envelope labels."""
