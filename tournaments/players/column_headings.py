"""Headings of the columns in lists of players, in all supported languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

PLAYER_HEADINGS: Mapping[str, str] = {
    "table": """
        table, number, no, no., nr, nr., n, n., nº, n°, #, tavolo, tav, tav., numero, numéro, mesa, número, tisch,
        tischnummer, tisch-nr., nummer, taula, número de taula, masă, masa, număr, numar
        """,
    "name": """
        name, full name, name and surname, player, nome, cognome e nome, nome e cognome, giocatore, giocatrice, nom,
        nom et prénom, nom et prenom, nom prénom, joueur, joueuse, nombre, nombre y apellidos, apellidos y nombre,
        jugador, jugadora, nom i cognoms, cognoms i nom, spieler, spielerin, vor- und nachname, nume, nume și
        prenume, nume si prenume, jucător, jucător(oare), jucător/jucătoare, jucator, jucătoare, jucatoare
        """,
    "surname": """
        surname, last name, family name, cognome, nom de famille, apellido, apellidos, primer apellido, cognom,
        cognoms, nachname, familienname, zuname, nume de familie
        """,
    "first_name": """
        first name, forename, given name, given names, christian name, nome di battesimo, prénom, prenom, prénoms,
        nombre de pila, nom de pila, vorname, vornamen, rufname, prenume
        """,
    "licence": """
        licence, license, licence number, license number, licence no, licence no., membership number, member number,
        member id, tessera, n. tessera, numero tessera, numero di tessera, licenza, n. licenza, numero di licenza,
        numéro de licence, n° licence, n° de licence, no licence, licencia, n.º licencia, nº licencia, número de
        licencia, carné, carnet, llicència, número de llicència, nº llicència, lizenz, lizenznummer, lizenz-nr.,
        lizenznr., spielerpass, passnummer, mitgliedsnummer, licență, licenta, legitimație, legitimatie, nr. licență,
        număr de licență, nr. legitimație, număr de legitimație
        """,
    "club": """
        club, city, circolo, società, associazione, città, ville, ciudad, ciutat, verein, klub, ort, oraș, oras
        """,
    "series": """
        series, category, division, serie, categoria, série, catégorie, categoría, división, sèrie, divisió,
        kategorie, klasse, serii, seria, categorie
        """,
    "age_class": """
        age class, age group, age, classe di età, classe d'età, fascia d'età, età, classe, classe d'âge, catégorie
        d'âge, âge, clase de edad, categoría de edad, edad, classe d'edat, categoria d'edat, edat, altersklasse,
        alter, categorie de vârstă, categorie de varsta, grupă de vârstă, categoria d'età, categoria di età, tranche
        d'âge, grupo de edad, grup d'edat, altersgruppe, alterskategorie, grupa de varsta, vârstă, varsta
        """,
    "country": """
        country, nation, nat, nat., nazione, paese, stato, pays, país, nació, land, staat, țară, țara, tara
        """,
    "team": """
        team, pair, squadra, coppia, équipe, equipe, paire, equipo, pareja, equip, parella, mannschaft, paar,
        echipă, echipa, pereche
        """,
    "nickname": """
        nickname, nick, alias, soprannome, pseudonimo, surnom, pseudo, pseudonyme, apodo, sobrenom, malnom,
        spitzname, poreclă, porecla
        """,
    "room": """
        room, hall, sala, aula, salle, raum, saal, sală
        """,
}
LONGEST_HEADING = 200
NAME_FIELDS = frozenset({"name", "surname", "first_name"})


class Headings:
    """The headings by which the columns of a kind of list are recognised: by field all words, separated by commas."""

    def __init__(self, listed: Mapping[str, str]) -> None:
        self.fields = tuple(listed)
        self._field_of = {
            normalise_heading(word): field for field, words in listed.items() for word in words.split(",")
        }

    def column_of(self, heading: str) -> str:
        """The column that a heading names, empty for one of no meaning here."""
        return self._field_of.get(normalise_heading(heading), "")

    def header_of(self, cells: Sequence[str], chosen: Mapping[str, str] | None = None) -> list[str] | None:
        """The column that each cell of a row names, the first one of a kind; None when the row is no header. `chosen`
        has the fields that somebody assigned to headings.

        "Nome", "Nom", "Nombre", "Name" and "Nume" are the whole name, beside a surname the first name, and beside a
        first name the surname.
        """
        chosen = chosen or {}
        assigned = [chosen.get(normalise_heading(cell)) for cell in cells]
        named = [self.column_of(cell) if field is None else field for cell, field in zip(cells, assigned, strict=True)]
        halves = NAME_FIELDS.intersection(named) - {"name"}
        if halves:
            other = {frozenset({"surname"}): "first_name", frozenset({"first_name"}): "surname"}.get(halves, "")
            named = [other if column == "name" else column for column in named]
        once = [column if column not in named[:at] else "" for at, column in enumerate(named)]
        return once if NAME_FIELDS.intersection(once) else None


def normalise_heading(heading: str) -> str:
    """Return a heading in the form in which headings are compared."""
    return " ".join(heading.casefold().replace("’", "'").split()).rstrip(":")[:LONGEST_HEADING]


_HEADINGS = Headings(PLAYER_HEADINGS)
FIELDS = _HEADINGS.fields
"""The fields that a column may hold."""


def header_of(cells: Sequence[str]) -> list[str] | None:
    """The column of a player that each cell of a row names (`Headings.header_of`)."""
    return _HEADINGS.header_of(cells)


def field_titles() -> dict[str, str]:
    """Return the title of each field of a player, in the active language."""
    return {
        "table": _("Table"),
        "name": _("Name"),
        "surname": _("Surname"),
        "first_name": _("First name"),
        "licence": _("Licence number"),
        "club": _("Club"),
        "series": _("Series"),
        "age_class": _("Age class"),
        "country": _("Country"),
        "team": _("Team"),
        "nickname": _("Nickname"),
        "room": _("Room"),
    }
