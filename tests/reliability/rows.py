"""The rows of our list of real failures: id → what a person would notice, and the tests that would fail.

`test_rows.py` checks that every row has a test that exists. Nothing is tested here.
"""

from __future__ import annotations

from typing import Final

_OF_PART: Final = {
    "A": (1, 2, 4, 5, 7, 8, 10, 11), "B": (1, 2, 4, 5, 6, 7, 9, 10, 12), "C": (1, 2, 3, 5, 6, 8, 10, 11, 12, 14),
    "D": (1, 2, 3, 5, 6, 7, 8, 10, 11, 13), "E": (2, 4, 5, 6, 8), "F": (1, 3, 4, 6, 7, 9, 10, 11),
    "G": (1, 3, 4, 5, 8),
}  # fmt: skip
IDS: Final = tuple([f"{part}{number}" for part, numbers in _OF_PART.items() for number in numbers])

_LINES = "tests/reliability/test_lines.py"
_PROMISES = "tests/reliability/test_promises.py"
_RESOURCES = "tests/reliability/test_resources.py"
_CLOCKS = "tests/reliability/test_clocks.py"
_CLOSING = "tests/reliability/test_closing.py"
_FULL = "tests/reliability/test_slow_sockets.py"
_RETURNS = "tests/reliability/test_returns.py"
_RESUMES = "tests/reliability/test_resumes.py"
_PHASES = "tests/reliability/test_phases.py"
_REQUESTS = "tests/reliability/test_requests.py"
_DESERTED = "tests/reliability/test_deserted.py"
_DETECTION = "tests/chaos/test_detection.py"
_LONG = "tests/lab/test_long_runs.py"
_SOCKETS = "tests/tables/test_sockets.py"
_TURNS = "tests/tables/test_turns.py"
_ROOMS = "tests/tables/test_rooms.py"
_ROOMS_LIVE = "tests/integration/test_rooms.py"
_RESERVING = "tests/tables/test_reserving.py"
_FAILURES = "tests/tables/test_failures.py"
_BREAKDOWN = "tests/tables/test_breakdown.py"
_RESTORE = "tests/tables/test_restore.py"
_SECRECY = "tests/tables/test_secrecy.py"
_PARTS = "tests/tables/test_parts.py"
_HELLO = "tests/api/gateway/test_hello.py"
_SLOW = "tests/api/gateway/test_slow_readers.py"
_BAD = "tests/api/gateway/test_bad_input.py"
_RETURN = "tests/integration/test_return.py"
_NODES = "tests/integration/test_nodes.py"
_MATCH = "tests/integration/test_match.py"
_OUTAGES = "tests/integration/test_outages.py"
_AROUND = "tests/storage/live/test_around.py"
_CODES = "tests/storage/live/test_codes.py"
_ARCHIVER = "tests/storage/live/test_archiver.py"
_HIDDEN = "tests/reliability/test_e_hidden.py"
_UNSTORED = "tests/reliability/test_f_unstored.py"
_RECOVERED = "tests/reliability/test_f_recovered.py"
_REMEMBERED = "tests/chaos/test_remembered.py"
_SERVE = "tests/serving/test_serve.py"
_KILLS = "tests/chaos/test_kills.py"
_LAWS = "tests/laws/test_secrecy.py"

ROWS: Final[dict[str, tuple[str, list[str]]]] = {
    "A1": ("my new tab plays at once although the old line hangs", [
        f"{_LINES}::test_a1_a_frozen_socket_neither_blocks_the_new_one_nor_stays",
        f"{_SLOW}::test_a_replaced_socket_that_does_not_read_is_cut_within_two_seconds",
        f"{_FULL}::test_a1_who_comes_anew_is_in_at_once_and_his_full_old_line_is_freed",
    ]),
    "A2": ("the older of my tabs says that it was replaced", [
        f"{_LINES}::test_a2_the_first_of_two_tabs_is_told_and_they_do_not_fight",
        f"{_SOCKETS}::test_a2_acts_of_the_replaced_socket_are_dropped_also_those_that_were_queued",
        f"{_RETURN}::test_the_newest_tab_has_the_seat_and_the_old_one_is_told",
    ]),
    "A4": ("a flickering line makes no second me", [
        f"{_LINES}::test_a4_fifty_drops_of_a_real_socket_leave_no_ghost",
        f"{_RETURNS}::test_a4_fifty_returns_past_lines_that_hang_are_seen_by_nobody",
        f"{_SOCKETS}::test_a4_fifty_quick_returns_make_no_ghost_and_one_pair_of_presence_each",
    ]),
    "A5": ("who hears nothing is shown offline within 20 s and catches up", [
        f"{_LINES}::test_a5_who_hears_nothing_is_offline_in_time_and_catches_up",
        f"{_RETURNS}::test_a5_who_heard_nothing_of_a_running_round_is_gone_in_time_and_catches_all_of_it_up",
        f"{_HELLO}::test_who_falls_silent_is_sent_away_but_not_who_pings",
    ]),
    "A7": ("a player who is gone is seen to be gone before the deal", [
        f"{_SOCKETS}::test_a7_who_is_not_there_is_flagged_before_the_deal",
        f"{_RETURNS}::test_a7_one_of_four_who_is_ready_and_frozen_is_seen_to_be_gone_before_the_last_one_starts",
        f"{_RESERVING}::test_tj_1_5_the_last_one_is_made_ready_only_when_he_is_here",
    ]),
    "A8": ("nobody gets at my seat by naming my ids", [
        f"{_LINES}::test_a8_ids_that_a_client_chooses_open_nothing_of_others",
        f"{_RETURN}::test_a_stranger_with_somebody_elses_room_gets_no_seat",
        f"{_HELLO}::test_a_ticket_works_once",
    ]),
    "A10": ("when a room is over I may open another at once", [
        f"{_RESOURCES}::test_a10_however_a_room_ends_its_people_may_open_another",
        f"{_ROOMS_LIVE}::test_a10_however_a_room_ends_everybody_may_open_one_at_once",
        f"{_MATCH}::test_everybody_may_sit_elsewhere_once_the_match_is_over",
    ]),
    "A11": ("a busy server throws nobody out", [
        f"{_LINES}::test_a11_a_node_that_computed_for_long_throws_nobody_out_and_says_how_late_it_was",
        f"{_HELLO}::test_after_a_long_computation_nobody_is_called_silent",
    ]),
    "B1": ("coming back shows my view and nobody's tiles", [
        f"{_RESUMES}::test_b1_from_every_number_every_seat_gets_what_was_sent_to_it_and_nothing_else",
        f"{_PROMISES}::test_b1_b6_whoever_comes_from_anywhere_knows_what_he_may_and_no_more",
        f"{_RESTORE}::test_what_clients_folded_is_what_the_table_shows",
    ]),
    "B2": ("what happens while I come back is not missed", [
        f"{_RESUMES}::test_b2_whatever_is_played_at_each_step_of_a_return_comes_once",
        f"{_SOCKETS}::test_b2_an_entry_between_snapshot_and_subscription_cannot_get_lost",
    ]),
    "B4": ("my own discard is there after a drop", [
        f"{_RESUMES}::test_b4_a_thousand_drops_between_commit_and_broadcast_of_my_own_discard",
        f"{_RETURN}::test_connections_that_keep_dropping_lose_no_event_and_do_nothing_twice",
    ]),
    "B5": ("after a restart I see whose turn it is", [
        f"{_PHASES}::test_b5_after_a_restart_everybody_sees_the_turn_pass_without_coming_anew",
        f"{_RESTORE}::test_a_table_goes_on_on_another_node_again_and_again",
        f"{_NODES}::test_a_rolling_restart_loses_no_action_and_aborts_no_round",
    ]),
    "B6": ("whoever joins later sees the whole table", [
        f"{_RESUMES}::test_b6_whoever_watches_from_whenever_has_the_projection_of_his_number",
        f"{_PROMISES}::test_b1_b6_whoever_comes_from_anywhere_knows_what_he_may_and_no_more",
    ]),
    "B7": ("an empty page knows seat, hand, winds and question from one message", [
        f"{_SOCKETS}::test_b7_an_empty_client_knows_all_from_the_sync_alone",
        f"{_PHASES}::test_b7_b10_who_drops_before_each_of_his_acts_knows_all_from_one_message_and_can_act",
    ]),
    "B9": ("nonsense about what was seen last harms nobody", [
        f"{_SOCKETS}::test_b9_any_last_seq_is_answered_by_what_is_right",
        f"{_RETURNS}::test_b9_whatever_a_return_says_of_itself_the_answer_is_in_order_and_the_table_goes_on",
        f"{_RETURN}::test_nonsense_in_last_gives_a_sync_and_harms_nobody",
        f"{_HELLO}::test_a_bad_ticket_is_refused_and_the_socket_closed",
    ]),
    "B10": ("dropped in any phase, I can act when it is my turn", [
        f"{_SOCKETS}::test_b10_who_drops_in_any_phase_can_act_when_it_is_due",
        f"{_PHASES}::test_b7_b10_who_drops_before_each_of_his_acts_knows_all_from_one_message_and_can_act",
        f"{_PHASES}::test_b10_who_drops_while_a_kong_may_be_robbed_can_rob_it",
    ]),
    "B12": ("all return at once after a restart and all get in", [
        f"{_LINES}::test_b12_everybody_returns_at_once_after_a_restart",
        f"{_LONG}::test_everybody_returns_after_a_kill_and_no_try_fails",
    ]),
    "C1": ("a double click does not answer the next question", [
        f"{_TURNS}::test_c1_a_second_click_is_not_the_answer_to_the_next_question",
        f"{_REQUESTS}::test_c1_a_second_pass_does_not_answer_the_claim_that_opens_in_between",
        f"{_REQUESTS}::test_c1_no_click_of_a_round_answers_any_later_question",
    ]),
    "C2": ("a repeated request acts once", [
        f"{_REQUESTS}::test_c2_whatever_is_asked_thrice_and_over_a_new_socket_has_one_effect_and_one_answer",
        f"{_TURNS}::test_c2_the_same_id_has_one_effect_and_one_answer_also_over_a_new_socket",
        f"{_RECOVERED}::test_a_request_that_changed_nothing_changes_nothing_either_when_it_comes_again_later",
        f"{_RECOVERED}::test_a_phrase_that_comes_again_is_said_once",
        f"{_PROMISES}::test_doubled_and_reordered_requests_change_nothing",
        f"{_RETURN}::test_a_repeated_request_gets_its_first_answer_and_no_second_effect",
    ]),
    "C3": ("a win beats a pong whoever clicks first", [
        f"{_TURNS}::test_c3_wins_prevail_over_a_pong_in_every_order_of_arrival",
    ]),
    "C5": ("several sleepers do not stop the round", [
        f"{_TURNS}::test_c5_several_time_outs_in_one_moment_are_one_pass_each",
        f"{_TURNS}::test_c5_a_time_out_is_nobody_elses",
        f"{_PROMISES}::test_c5_any_number_of_people_may_time_out_for_a_whole_round",
    ]),
    "C6": ("a discard at the last moment is one discard", [
        f"{_CLOCKS}::test_c6_at_the_deadline_five_thousand_times_each_is_one_discard_and_one_draw",
        f"{_TURNS}::test_c6_a_discard_at_the_deadline_is_one_discard",
    ]),
    "C8": ("every clock fires", [
        f"{_CLOCKS}::test_c8_under_a_full_collection_every_ten_milliseconds_every_armed_clock_runs_out_once",
        f"{_TURNS}::test_c8_every_armed_clock_fires_though_the_collector_runs_all_the_time",
        f"{_RESOURCES}::test_d13_c8_bot_matches_leave_no_task_no_key_and_no_connection",
    ]),
    "C10": ("a question lasts as long as the room says", [
        f"{_CLOCKS}::test_c10_every_setting_of_the_clocks_lasts_what_it_says",
        f"{_CLOCKS}::test_c10_a_clock_of_no_length_cannot_be_set",
        f"{_TURNS}::test_c10_a_fresh_prompt_lasts_its_stated_time",
    ]),
    "C11": ("a wrong clock at my end costs me nothing", [
        f"{_PROMISES}::test_c11_clocks_of_clients_and_server_may_differ_by_anything",
    ]),
    "C12": ("nobody gains time by claiming lag", [
        f"{_CLOCKS}::test_c12_a_request_that_claims_a_time_is_refused_and_moves_no_deadline",
        f"{_TURNS}::test_c12_nothing_a_client_says_is_a_time",
    ]),
    "C14": ("the server's clock may step", [
        f"{_CLOCKS}::test_c14_the_machines_clock_steps_an_hour_forth_and_back_under_a_match",
        "tests/integration/test_clock_step.py::"
        "test_the_clock_steps_an_hour_and_back_and_play_goes_on_as_if_nothing_were",
        f"{_TURNS}::test_c14_a_step_of_the_system_clock_changes_nothing",
        f"{_FAILURES}::test_c14_a_process_that_was_stopped_charges_nobody",
    ]),
    "D1": ("joining while it closes ends in a seat or in 'gone'", [
        f"{_CLOSING}::test_d1_whoever_comes_at_any_step_of_the_closing_gets_in_or_is_told",
        f"{_ROOMS}::test_d1_joins_and_acts_during_the_closing_end_in_success_or_gone",
        f"{_RESERVING}::test_d1_a_place_asked_for_while_the_room_closes_is_refused_and_leaves_no_claim",
    ]),
    "D2": ("rooms of a dead node are taken over or cleared away", [
        f"{_DETECTION}::test_d2_fifty_tables_of_a_dead_node_are_taken_over_in_time_and_leave_nothing",
        f"{_DETECTION}::test_a_ticket_asked_for_at_a_dead_owners_neighbour_does_not_wait_for_its_heartbeat",
        f"{_DETECTION}::test_a_table_taken_early_comes_back_from_a_taker_that_died",
        f"{_KILLS}::test_a_dozen_kills_of_two_nodes_lose_nothing",
        f"{_AROUND}::test_the_reaper_takes_what_a_death_left_behind_and_nothing_else",
    ]),
    "D3": ("a room that all have left ends", [
        f"{_DESERTED}::test_d3_whenever_all_drop_for_ever_the_room_ends_in_time_and_nothing_of_it_stays",
        f"{_ROOMS}::test_d3_four_people_drop_for_ever_and_the_room_ends_with_its_rounds_stored_once",
    ]),
    "D5": ("spectators do not disturb the game", [
        f"{_ROOMS}::test_d5_spectators_come_and_go_and_the_table_does_not_notice",
    ]),
    "D6": ("a vote ends, and a returner sees it", [
        f"{_ROOMS}::test_d6_a_vote_ends_by_its_deadline_and_who_returns_sees_it_and_can_answer",
        f"{_DESERTED}::test_d6_who_returns_into_a_vote_answers_it_either_way_and_it_ends",
    ]),
    "D7": ("a room waits for friends as long as stated", [
        f"{_DESERTED}::"
        "test_d7_the_owner_may_be_away_for_ten_minutes_before_the_match_and_nearly_so_before_a_rematch",
        f"{_ROOMS}::test_rooms_that_nobody_uses_close_with_a_message",
        f"{_ROOMS}::test_a_rematch_starts_a_new_match_on_the_same_table",
    ]),
    "D8": ("an operator may end a game at any moment", [
        f"{_CLOSING}::test_d8_two_operators_at_once_in_mid_round_make_one_void_row_and_free_everybody",
        f"{_ROOMS}::test_d8_an_operator_dissolves_twice_in_any_phase_with_a_claim_and_a_timeout_in_the_same_tick",
        "tests/tables/test_same_moment.py::test_a_room_that_ends_for_two_reasons_and_goes_on_for_two_ends_once",
    ]),
    "D10": ("a full code space overwrites no room", [
        f"{_CODES}::test_a_thousand_rooms_at_once_in_a_tiny_space_overwrite_nothing",
        f"{_RESOURCES}::"
        "test_d10_when_hardly_a_code_is_free_nobody_gets_anothers_and_the_rest_are_told_to_come_later",
    ]),
    "D11": ("an old code does not lead to strangers", [
        f"{_CODES}::test_a_code_leads_to_its_room_and_after_it_nowhere_for_a_day",
        f"{_CODES}::test_a_code_comes_out_of_quarantine_and_then_leads_to_its_next_room_only",
        "tests/storage/live/test_limiter.py::test_a_user_spends_their_own_budget_on_every_node_and_across_restarts",
        f"{_RESOURCES}::test_d7_d11_a_closed_rooms_code_leads_nobody_to_strangers",
        f"{_RESOURCES}::test_d11_the_code_of_a_closed_room_is_not_given_to_the_next_one",
        f"{_RESOURCES}::test_d11_who_guesses_codes_is_stopped_and_nobody_else_is",
    ]),
    "D13": ("finished tables leave nothing behind", [
        f"{_FAILURES}::test_d13_a_table_that_is_over_is_free_at_once_though_its_sockets_stay_for_a_while",
        f"{_RESOURCES}::test_d13_c8_bot_matches_leave_no_task_no_key_and_no_connection",
        f"{_RESOURCES}::test_d13_a_socket_that_is_gone_is_free_at_once_not_at_the_next_full_collection",
        f"{_LONG}::test_a_sample_of_bot_matches_leaves_nothing_and_plays_again",
    ]),
    "E2": ("nobody watches a hidden kong", [
        f"{_HIDDEN}::test_e2_everybody_else_is_shown_of_a_concealed_kong_what_the_rule_says_and_no_more",
        f"{_HIDDEN}::test_e2_after_a_takeover_too_everybody_else_is_shown_no_more",
        "tests/variants/guizhou/test_secrets.py::test_hidden_kongs_look_alike",
        "tests/variants/tangshan/test_secrecy.py::test_a_cover_is_three_backs_to_everybody_else",
        "tests/variants/tianjin/test_secrecy_and_clocks.py::test_what_lies_on_the_table_is_public_and_hands_are_not",
    ]),
    "E4": ("nothing tells the wall before the end", [
        f"{_CLOSING}::test_e4_neither_frames_nor_log_nor_counters_nor_errors_tell_the_wall",
        f"{_HIDDEN}::test_e4_no_frame_of_anybody_tells_a_run_of_the_wall_or_a_seed_to_come",
        f"{_MATCH}::test_no_frame_tells_the_seed_before_its_round_has_ended",
        f"{_PARTS}::test_nothing_of_an_envelope_or_a_seed_is_ever_sent",
        f"{_PROMISES}::test_e4_a_delay_for_spectators_also_holds_after_a_takeover",
    ]),
    "E5": ("exchanged hidden tiles change nothing others get", [
        f"{_LAWS}::test_kind_exchange",
        "tests/reliability/test_e_exchange.py::"
        "test_e5_with_two_hidden_kinds_exchanged_nobody_who_sees_neither_gets_another_byte",
        f"{_RESOURCES}::test_e5_rest_tells_nothing_of_a_running_round",
    ]),
    "E6": ("face-down tiles are backs and counts", [
        f"{_LAWS}::test_redeal",
        f"{_LAWS}::test_silent_answers",
        f"{_HIDDEN}::test_e6_what_others_draw_and_hold_is_sent_as_a_number",
        f"{_HIDDEN}::test_e6_what_is_answered_in_secret_is_sent_to_nobody_before_all_have_answered",
        "tests/variants/guizhou/test_secrets.py::test_draws_hands_and_answers_are_private",
        "tests/variants/tangshan/test_secrecy.py::test_a_reconnecting_opponent_finds_neither_tile_nor_points_of_a_cover",
    ]),
    "E8": ("a pause does not tell who could have claimed", [
        f"{_CLOCKS}::test_e8_the_pause_after_a_discard_is_the_same_whether_or_not_somebody_could_claim",
        "tests/reliability/test_e_pause.py::"
        "test_e8_in_every_game_the_pause_is_the_rooms_whether_or_not_somebody_could_claim",
        f"{_TURNS}::test_the_hold_lasts_whether_or_not_anybody_can_claim",
        f"{_SECRECY}::test_within_the_hold_nobody_hears_who_was_asked_or_passed",
    ]),
    "F1": ("a crash loses no acknowledged action", [
        f"{_KILLS}::test_a_dozen_kills_of_two_nodes_lose_nothing",
        f"{_REMEMBERED}::"
        "test_after_a_kill_everything_people_had_settled_is_as_it_was_and_repeated_ids_do_nothing_twice",
        f"{_BREAKDOWN}::test_f1_what_would_not_come_back_from_the_log_as_it_was_is_never_stored",
        f"{_RESTORE}::test_every_prefix_of_the_log_folds_to_what_ran",
    ]),
    "F3": ("an outage costs nobody their time", [
        f"{_FAILURES}::test_f3_an_outage_during_a_turn_costs_nobody_time",
        f"{_FAILURES}::test_f3_a_stalled_store_says_saving_and_every_clock_starts_afresh",
        f"{_RECOVERED}::test_f3_a_vote_that_was_nearly_over_when_its_node_died_has_all_of_its_time_again",
    ]),
    "F4": ("an owner that was asleep writes nothing", [
        f"{_NODES}::test_an_owner_that_was_stopped_writes_nothing_after_it_lost_the_table",
        "tests/chaos/test_two_owners.py::"
        "test_of_a_soak_of_stops_and_takeovers_every_entry_is_its_owners_at_its_place",
        f"{_FAILURES}::test_f4_an_owner_that_was_stopped_writes_nothing_over_the_new_one",
        f"{_FAILURES}::test_f4_after_a_long_pause_nothing_is_sent_before_the_token_is_confirmed",
        f"{_KILLS}::test_a_node_that_slept_beyond_its_heartbeat_wakes_and_harms_nothing",
    ]),
    "F6": ("nobody sees a move that was not kept", [
        f"{_FAILURES}::test_f6_nobody_sees_an_entry_that_is_not_stored_yet",
        f"{_FAILURES}::test_f6_an_entry_that_was_refused_by_the_store_is_never_told",
        f"{_UNSTORED}::"
        "test_f6_neither_spectators_nor_who_comes_just_then_nor_the_lobby_hear_of_what_is_not_stored",
        f"{_UNSTORED}::test_f6_a_readiness_that_is_not_stored_is_not_on_the_board",
        f"{_OUTAGES}::test_while_the_live_store_is_away_nobody_sees_what_is_not_stored_and_play_resumes_by_itself",
    ]),
    "F7": ("after the store's restart everything flows again", [
        f"{_OUTAGES}::test_while_the_live_store_is_away_nobody_sees_what_is_not_stored_and_play_resumes_by_itself",
        f"{_OUTAGES}::test_what_nodes_tell_each_other_flows_again_within_the_time_that_is_promised",
        "tests/chaos/test_store_returns.py::"
        "test_f7_what_happens_while_the_store_is_away_is_known_on_other_nodes_as_soon_as_it_is_back",
    ]),
    "F9": ("a stored round plays again the same", [
        "tests/records/test_verify.py::test_records_of_random_rounds_verify",
        "tests/records/test_again.py::test_f9_a_round_out_of_its_bytes_plays_again_to_the_same_events",
        "tests/records/test_again.py::"
        "test_f9_what_is_drawn_hangs_on_the_wall_alone_and_not_on_what_chance_bots_had",
        "tests/records/test_again.py::test_f9_chance_that_is_not_in_the_record_is_found",
        "tests/lab/test_soak.py::test_a_sample_of_every_game_is_clean_and_counted",
        f"{_LONG}::test_a_sample_of_bot_matches_leaves_nothing_and_plays_again",
    ]),
    "F10": ("a bug stops one table and says so", [
        f"{_BREAKDOWN}::test_f10_a_bug_in_the_rules_freezes_that_table_alone_and_everybody_is_told",
        f"{_BREAKDOWN}::test_a_log_that_cannot_be_read_is_put_aside_and_the_others_play_on",
        f"{_PROMISES}::test_f10_a_bug_anywhere_in_one_game_stops_one_table",
        "tests/chaos/test_bad_tables.py::"
        "test_each_bad_table_is_put_aside_with_a_clear_word_and_its_people_sit_elsewhere_at_once",
        "tests/storage/archive/test_rounds.py::test_a_round_that_failed_is_kept_without_a_record",
    ]),
    "F11": ("rounds reach the archive once, however long it is away", [
        f"{_OUTAGES}::test_play_goes_on_without_the_archive_and_rounds_arrive_once_when_it_is_back",
        f"{_OUTAGES}::test_what_ended_while_the_archive_was_away_survives_the_death_of_its_node_and_is_written_once",
        f"{_ARCHIVER}::test_however_often_the_archive_was_away_it_is_asked_again",
        f"{_ARCHIVER}::test_a_death_between_commit_and_strike_gives_the_round_again_and_loses_none",
        "tests/storage/archive/test_rounds.py::test_storing_again_changes_nothing",
    ]),
    "G1": ("one who does not read holds nobody up", [
        f"{_LINES}::test_g1_one_reader_who_stops_is_cut_and_the_others_do_not_feel_it",
        f"{_SLOW}::test_a_reader_who_stopped_is_cut_at_his_bound_and_nobody_waits",
        f"{_FULL}::test_g1_who_overflows_is_told_at_once_and_the_kernel_keeps_nothing_for_him",
        f"{_FULL}::test_g1_however_a_full_line_is_closed_it_is_gone_within_two_seconds",
        f"{_FULL}::test_g1_pings_of_one_who_does_not_read_fill_no_memory",
        f"{_FULL}::test_g1_a_lobby_follower_who_does_not_read_is_cut_and_the_others_hear_on",
        f"{_FULL}::test_g1_behind_the_front_too_who_overflows_is_cut_and_nothing_is_kept_of_him",
        f"{_FULL}::test_g1_spectators_who_do_not_read_are_cut_one_by_one_and_the_table_plays_on",
        f"{_LONG}::test_others_act_beside_people_who_do_not_read",
    ]),
    "G3": ("thousands of idle players fit", [
        f"{_LINES}::test_g3_two_thousand_idle_sockets_cost_less_than_forty_kilobytes_each",
        "tests/reliability/test_g_idle.py::"
        "test_g3_two_thousand_people_who_sit_and_wait_cost_less_than_forty_kilobytes_each",
        f"{_SERVE}::test_http_and_websocket_on_one_port_without_deflate",
    ]),
    "G4": ("open tables do not use up the database", [
        f"{_LINES}::test_g4_five_hundred_open_sockets_hold_no_database_connection_and_slow_no_request",
    ]),
    "G5": ("a deploy says when to come back and ends", [
        f"{_LINES}::test_b12_everybody_returns_at_once_after_a_restart",
        f"{_FULL}::test_g1_g5_a_node_full_of_people_who_do_not_read_stops_in_time_and_tells_the_others",
        f"{_SERVE}::test_stopping_drains_first_then_tells_clients_to_come_back",
        "tests/chaos/test_four_hundred.py::test_g5_a_process_with_four_hundred_tables_is_told_to_stop",
        f"{_KILLS}::test_a_rolling_restart_loses_nothing_and_ends_in_order",
        f"{_LONG}::test_a_rolling_restart_is_unnoticed",
    ]),
    "G8": ("nonsense closes its own socket at most", [
        f"{_LINES}::test_g8_whatever_one_client_sends_only_his_socket_suffers",
        f"{_BAD}::test_a_bad_frame_costs_one_error",
        f"{_BAD}::test_a_frame_beyond_all_bounds_closes_that_socket_alone",
        f"{_BAD}::test_whatever_comes_in_is_an_ask_or_a_bad_frame",
        f"{_BAD}::test_any_bytes_are_a_message_or_a_bad_frame",
    ]),
}  # fmt: skip
