from __future__ import annotations

from referee.desk import health
from referee.desk.access import page_path
from referee.desk.backups import backup, restore, upgrade_report
from referee.desk.events import events, rehearsal, rooms, rounds, rules
from referee.desk.judging import appeals, preview, search_box, slip_group
from referee.desk.members import urls as members_urls
from referee.desk.play import arrivals, calls, paper_slips, typing_conflicts, views
from referee.desk.players import check_in, privacy, roster_file, seat_codes, table_plan
from referee.desk.prepared import views as prepared_views
from referee.desk.publishing import urls as publishing_urls
from referee.desk.ratings import urls as ratings_urls
from referee.desk.results import (
    analysis,
    downloads,
    files,
    letterhead,
    printing,
    public_page,
    results_to_players,
    standings,
    turns,
    verify_archive,
)
from referee.desk.results import document_preview as results_document_preview
from referee.desk.seasons import urls as seasons_urls
from referee.desk.staff import auth_views, staff
from referee.desk.words import editions
from referee.desk.words import views as words_views

app_name = "desk"
urlpatterns = [
    page_path("", events.event_list),
    page_path("locked/", auth_views.log_in),
    page_path("log-out/", auth_views.log_out),
    page_path("account/", auth_views.account),
    page_path("account/link/", auth_views.another_device),
    page_path("account/unlink/", auth_views.revoke_own_links),
    page_path("archive/", verify_archive.check_archive),
    page_path("new/", events.new_event),
    page_path("rehearsal/", rehearsal.create_rehearsal),
    page_path("restore/", restore.restore),
    page_path("restore/start/", restore.start_restore),
    page_path("upgrade/hide/", upgrade_report.hide_upgrade),
    page_path("rules/", rules.rules_of_profile),
    page_path("prepared/", prepared_views.prepared_games),
    page_path("prepared/bring/", prepared_views.import_game),
    page_path("prepared/<int:pk>/", prepared_views.script_page),
    page_path("prepared/<int:pk>/play/", prepared_views.play_prepared_game),
    page_path("prepared/<int:pk>/turn/", prepared_views.choose_master),
    page_path("prepared/<int:pk>/sheet.pdf", prepared_views.sheet),
    page_path("prepared/<int:pk>/envelope.pdf", prepared_views.envelope),
    page_path("prepared/<int:pk>/game.json", prepared_views.download_game),
    page_path("prepared/<int:pk>/practice/", prepared_views.practice_link),
    page_path("prepared/<int:pk>/throw-away/", prepared_views.delete_game),
    page_path("word-lists/", words_views.word_lists),
    page_path("word-lists/build/", words_views.build_word_list),
    page_path("word-lists/progress/", words_views.build_progress),
    page_path("editions/", editions.editions),
    page_path("editions/<slug:edition>/", editions.edition_editor),
    *members_urls.urlpatterns,
    *seasons_urls.urlpatterns,
    *ratings_urls.urlpatterns,
    *publishing_urls.urlpatterns,
    page_path("<str:code>/", views.console),
    page_path("<str:code>/main/", views.console_main),
    page_path("<str:code>/do/<slug:action>/", views.act),
    page_path("<str:code>/preview/<slug:action>/", preview.preview),
    page_path("<str:code>/slips-in/", arrivals.slip_arrivals),
    page_path("<str:code>/backup/", backup.backup),
    page_path("<str:code>/health/", health.health),
    page_path("<str:code>/typings/", typing_conflicts.list_conflicts),
    page_path("<str:code>/group/<slug:key>/", slip_group.group),
    page_path("<str:code>/clear/", slip_group.clear_groups),
    page_path("<str:code>/echo/", paper_slips.explain_line),
    page_path("<str:code>/paper/", paper_slips.submit_line),
    page_path("<str:code>/tops/", views.early_tops),
    page_path("<str:code>/players/", views.players),
    page_path("<str:code>/players/file/", roster_file.player_file),
    page_path("<str:code>/entry-desk/", check_in.check_in_page),
    page_path("<str:code>/tables/", table_plan.table_plan_page),
    page_path("<str:code>/rounds/", rounds.rounds),
    page_path("<str:code>/results/", files.results),
    page_path("<str:code>/results/players/", results_to_players.results_to_players),
    page_path("<str:code>/rooms/", rooms.rooms),
    page_path("<str:code>/rehearsal/", rehearsal.rehearsal),
    page_path("<str:code>/rehearsal/phones/", rehearsal.phones),
    page_path("<str:code>/seat-codes/", seat_codes.seat_codes),
    page_path("<str:code>/staff/", staff.staff),
    page_path("<str:code>/staff/add/", staff.add_member),
    page_path("<str:code>/staff/link/", staff.renew_link),
    page_path("<str:code>/staff/unlink/", staff.revoke_link),
    page_path("<str:code>/staff/password/", staff.password),
    page_path("<str:code>/staff/role/", staff.role),
    page_path("<str:code>/staff/revoke/", staff.revoke_access),
    page_path("<str:code>/standings/", standings.standings),
    page_path("<str:code>/analysis/", analysis.analysis),
    page_path("<str:code>/public-page/", public_page.public_page),
    page_path("<str:code>/standings.csv", downloads.standings),
    page_path("<str:code>/field/", prepared_views.choose_players),
    page_path("<str:code>/practice/", prepared_views.practise_game),
    page_path("<str:code>/log/", turns.turn_log),
    page_path("<str:code>/appeals/", appeals.appeals),
    page_path("<str:code>/appeals/open/", appeals.open_appeals_count),
    page_path("<str:code>/again/", appeals.rejudging_page),
    page_path("<str:code>/differences/<int:pk>/", appeals.differences),
    page_path("<str:code>/words/", search_box.search_words),
    page_path("<str:code>/calls/", calls.calls),
    page_path("<str:code>/calls.json", calls.spoken_calls),
    page_path("<str:code>/rules/", rules.rules_of_event),
    page_path("<str:code>/privacy/", privacy.privacy),
    page_path("<str:code>/players/<int:table>/data.json", privacy.player_data_file),
    page_path("<str:code>/archive.json", downloads.archive),
    page_path("<str:code>/event.zip", downloads.event_files),
    page_path("<str:code>/verify/", verify_archive.verify_archive),
    page_path("<str:code>/documents/", printing.documents),
    page_path("<str:code>/documents/letterhead/", letterhead.letterhead),
    page_path("<str:code>/documents/letterhead/logo/", letterhead.logo),
    page_path("<str:code>/documents/preview/", printing.document_preview),
    page_path("<str:code>/documents/<int:pk>/", printing.document),
    page_path("<str:code>/documents/<int:pk>/look/", results_document_preview.document_pictures),
    page_path("<str:code>/documents/<int:pk>/page-<int:number>.png", results_document_preview.document_page),
]
