"""Headings of the columns in lists of players, in all supported languages."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

_HEADINGS = {
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
_COLUMN_OF = {
    " ".join(word.split()): column for column, listed in _HEADINGS.items() for word in listed.casefold().split(",")
}


FIELDS = tuple(_HEADINGS)
"""The fields that a column may hold."""
NAME_FIELDS = frozenset({"name", "surname", "first_name"})


def column_of(heading: str) -> str:
    """The column that a heading names, empty for one of no meaning here."""
    return _COLUMN_OF.get(" ".join(heading.casefold().replace("’", "'").split()).rstrip(":"), "")


def header_of(cells: Sequence[str]) -> list[str] | None:
    """The column that each cell of a row names, the first one of a kind; None when the row is no header.

    "Nome", "Nom", "Nombre", "Name" and "Nume" are the whole name, beside a surname the first name, and beside a first
    name the surname.
    """
    named = [column_of(cell) for cell in cells]
    halves = NAME_FIELDS.intersection(named) - {"name"}
    if halves:
        other = {frozenset({"surname"}): "first_name", frozenset({"first_name"}): "surname"}.get(halves, "")
        named = [other if column == "name" else column for column in named]
    once = [column if column not in named[:at] else "" for at, column in enumerate(named)]
    return once if NAME_FIELDS.intersection(once) else None


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
