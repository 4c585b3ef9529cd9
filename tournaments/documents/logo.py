"""Check of an uploaded logo: PNG or JPEG of a limited size, written again so that only its pixels are kept."""

from __future__ import annotations

from io import BytesIO

from django.utils.translation import gettext as _
from PIL import Image, ImageOps, UnidentifiedImageError

from tournaments.errors import Refused

LARGEST_FILE = 5_000_000  # bytes
MOST_PIXELS = 25_000_000
BOX = (900, 450)  # largest width and height in pixels of what is stored
FORMATS = ("PNG", "JPEG")
_DAMAGES = (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError)


def read_logo(content: bytes) -> bytes:
    """Return the picture of a PNG or JPEG file on white, reduced to `BOX`, in the format of the file.

    Metadata are dropped. Raises `Refused` for any other file.
    """
    if len(content) > LARGEST_FILE:
        raise Refused(_("The logo is larger than 5 MB: save it smaller and upload it again."))
    try:
        with Image.open(BytesIO(content), formats=FORMATS) as picture:
            if picture.width * picture.height > MOST_PIXELS:
                raise Refused(_("The logo has more than 25 million pixels: save it smaller and upload it again."))
            return _encode(picture, picture.format or FORMATS[0])
    except Refused:
        raise
    except _DAMAGES:
        raise Refused(_("The logo is no PNG or JPEG picture that can be read: save it as PNG and try again.")) from None


def _encode(picture: Image.Image, form: str) -> bytes:
    shown = ImageOps.exif_transpose(picture).convert("RGBA")
    shown.thumbnail(BOX)
    flat = Image.new("RGB", shown.size, "white")
    flat.paste(shown, mask=shown.getchannel("A"))
    written = BytesIO()
    flat.save(written, form, **({"quality": 90} if form == "JPEG" else {"optimize": True}))
    return written.getvalue()
