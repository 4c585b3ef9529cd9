"""Structure tree of a tagged PDF: titles, paragraphs and pictures in reading order.

Reportlab writes none. Screen readers use it to find titles and paragraphs. A table row is one paragraph, because a tag
for each cell would triple the size of a sheet of thousands of players.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reportlab.pdfbase.pdfdoc import PDFArray, PDFDictionary, PDFName, PDFPage, PDFString

Piece = tuple[str, str]


class Structure:
    """Structure tree that grows with the pages and is written once at the end."""

    def __init__(self, document: Any) -> None:
        self._document = document
        self._root = PDFDictionary({"Type": PDFName("StructTreeRoot")})
        self._whole = PDFDictionary({"Type": PDFName("StructElem"), "S": PDFName("Document")})
        self._root_ref = document.Reference(self._root)
        self._whole_ref = document.Reference(self._whole)
        self._elements: list[Any] = []
        self._parents: list[Any] = []

    def add_page(self, page: Any, pieces: Sequence[Piece]) -> None:
        """Add the pieces of a finished page, in the order of their marked-content numbers."""
        if not pieces:
            return
        page.__NoDefault__ = [*PDFPage.__NoDefault__, "StructParents"]  # reportlab would omit it
        page.StructParents = len(self._parents) // 2
        reference = self._document.Reference(page)
        elements = [self._element(reference, *piece, number) for number, piece in enumerate(pieces)]
        self._elements += elements
        self._parents += [page.StructParents, self._document.Reference(PDFArray(elements))]

    def finish(self) -> None:
        """Attach the tree to the document, unless it is empty."""
        if not self._elements:
            return
        self._whole["P"], self._whole["K"] = self._root_ref, PDFArray(self._elements)
        self._root["K"] = self._whole_ref
        self._root["ParentTree"] = self._document.Reference(PDFDictionary({"Nums": PDFArray(self._parents)}))
        self._root["ParentTreeNextKey"] = len(self._parents) // 2
        self._document.Catalog.StructTreeRoot = self._root_ref
        self._document.Catalog.MarkInfo = PDFDictionary({"Marked": "true"})

    def _element(self, page: Any, kind: str, spoken: str, number: int) -> Any:
        entry = {
            "Type": PDFName("StructElem"),
            "S": PDFName(kind),
            "P": self._whole_ref,
            "Pg": page,
            "K": number,
            **({"Alt": PDFString(spoken)} if spoken else {}),
        }
        return self._document.Reference(PDFDictionary(entry))
