"""Drawing layer of the documents on top of reportlab: pages, tables, fonts, boards, charts, QR codes."""
