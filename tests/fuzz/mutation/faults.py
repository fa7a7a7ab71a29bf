"""Faults that a contact tracker may have, each as one edit of one file.

Written from the list of what goes wrong in such code, before it was known which of
them a story would show.  The text to replace stands in its file exactly once; where it
does not any more, the fault is out of date and the tool says so.
"""

from typing import NamedTuple


class Fault(NamedTuple):
    """One edit: what kind of mistake it is, where, and the two texts."""

    name: str
    kind: str
    file: str
    old: str
    new: str


EVENTS = "sim/events/event.py"
TOUCH = "sim/events/touch.py"
STAGE = "sim/contact_manager.py"
REGIONS = "sim/events/region_events.py"
LINEAGE = "sim/result/renaming.py"
STANDING = "sim/events/body_status.py"
FRAMES = "sim/kernels/frames.py"
VIEW = "sim/kernels/view.py"
ORDER = "sim/kernels/order.py"
REGIME = "sim/tracking/regime.py"
PAIR = "sim/tracking/pair.py"
CONTACT = "sim/result/answer.py"
ROWS = "sim/result/rows.py"
ANSWER = "sim/kernels/closest/answer.py"
FOOTING = "sim/kernels/closest/vertex_face.py"
MEASURE = "sim/kernels/closest/measure.py"
NAMING = "sim/kernels/closest/naming.py"
PLATEAU = "sim/kernels/closest/support_feature.py"
BROAD = "sim/contact_manager.py"
WORLD = "sim/world.py"
DENTS = "sim/events/spelling.py"

FAULTS = (
    # Events: what is said of two states.
    Fault(
        "end_is_forgotten",
        "missing event",
        EVENTS,
        '"end": met and not meets,',
        '"end": False,',
    ),
    Fault(
        "begin_is_told_again",
        "double event",
        EVENTS,
        '"begin": meets and not met,',
        '"begin": meets and (changed or not met),',
    ),
    Fault(
        "change_is_told_of_what_stayed",
        "wrong condition",
        EVENTS,
        "changed = was != now or (gone and not went_on(before, after))",
        "changed = was == now or (gone and not went_on(before, after))",
    ),
    Fault(
        "change_is_told_backwards",
        "swapped ids",
        EVENTS,
        "            contact,\n            first,\n            last,\n",
        "            contact,\n            last,\n            first,\n",
    ),
    Fault(
        "event_comes_a_frame_late",
        "late event",
        EVENTS,
        "            after.frame,\n            kind,\n",
        "            after.frame + 1,\n            kind,\n",
    ),
    Fault(
        "names_of_the_bodies_are_swapped",
        "swapped ids",
        EVENTS,
        "            after.a.name,\n            after.b.name,\n",
        "            after.b.name,\n            after.a.name,\n",
    ),
    Fault(
        "features_are_swapped",
        "swapped ids",
        TOUCH,
        "a, b = said.feature_a, said.feature_b",
        "b, a = said.feature_a, said.feature_b",
    ),
    Fault(
        "edge_is_named_by_its_tip_first",
        "swapped ids",
        TOUCH,
        "return tail, tip\n\n\ndef way",
        "return tip, tail\n\n\ndef way",
    ),
    Fault(
        "penetrate_is_told_as_separate",
        "wrong sign",
        EVENTS,
        '"penetrate": new == "penetrating" != old,',
        '"penetrate": new == "penetrating" == old,',
    ),
    Fault(
        "separate_is_forgotten",
        "missing event",
        EVENTS,
        '"separate": old == "penetrating" != new,',
        '"separate": old == "penetrating" and not meets,',
    ),
    Fault(
        "before_is_the_feature_of_now",
        "stale feature",
        EVENTS,
        "was = Touch.of(before if last is None else last)",
        "was = Touch.of(after)",
    ),
    Fault(
        "now_is_the_feature_of_before",
        "stale feature",
        EVENTS,
        "now = Touch.of(after)\n    changed",
        "now = Touch.of(after if before is None else before)\n    changed",
    ),
    # The stage: which pair, whose contact, what was before.
    Fault(
        "last_state_is_never_kept",
        "stale feature",
        STAGE,
        "            last[pair] = state\n            if state.regime",
        "            last.setdefault(pair, state)\n            if state.regime",
    ),
    Fault(
        "contact_keeps_its_number_for_ever",
        "swapped ids",
        STAGE,
        "contacts.pop(pair, None)",
        "contacts.get(pair, None)",
    ),
    Fault(
        "every_contact_has_one_number",
        "swapped ids",
        STAGE,
        "    next_contact += 1",
        "    next_contact += 0",
    ),
    Fault(
        "frame_number_is_off_by_one",
        "late event",
        STAGE,
        "tracker.next_frame = frame\n",
        "tracker.next_frame = frame + 1\n",
    ),
    Fault(
        "ignored_pairs_are_looked_at",
        "wrong condition",
        STAGE,
        "return (pair for pair in pairs if pair not in self._ignored)",
        "return (pair for pair in pairs if pair in self._ignored or True)",
    ),
    Fault(
        "bodies_come_last",
        "order",
        STAGE,
        "                events += found\n",
        "                pass\n",
    ),
    # Regions: births, deaths, splits, merges.
    Fault(
        "split_is_forgotten",
        "missing event",
        REGIONS,
        "if len(found) > 1:\n            children",
        "if len(found) > 2:\n            children",
    ),
    Fault(
        "merge_is_forgotten",
        "missing event",
        REGIONS,
        'if len(found) > 1:\n            event = Event(after.frame, "merge"',
        'if len(found) > 2:\n            event = Event(after.frame, "merge"',
    ),
    Fault(
        "death_is_told_with_what_is_left",
        "stale feature",
        REGIONS,
        "heirs[i].append(now[j].identity)",
        "heirs[j % len(heirs)].append(now[j].identity)",
    ),
    Fault(
        "youngest_identity_wins",
        "swapped ids",
        LINEAGE,
        "for i in sorted(range(len(known)), key=lambda k: known[k]):",
        "for i in sorted(range(len(known)), key=lambda k: -known[k]):",
    ),
    Fault(
        "identity_is_given_twice",
        "swapped ids",
        LINEAGE,
        "            fresh += 1\n",
        "            fresh += 0\n",
    ),
    # Bodies: convexity, inside-out, collapse.
    Fault(
        "convexity_is_told_the_other_way",
        "wrong sign",
        STANDING,
        '("convexity_lost", old.convex and not new.convex)',
        '("convexity_lost", new.convex and not old.convex)',
    ),
    Fault(
        "restored_is_forgotten",
        "missing event",
        STANDING,
        '("convexity_restored", new.convex and not old.convex)',
        '("convexity_restored", False)',
    ),
    Fault(
        "standing_is_never_kept",
        "stale feature",
        STANDING,
        "return events, new",
        "return events, old",
    ),
    Fault(
        "inverted_is_told_of_the_upright",
        "wrong sign",
        STANDING,
        "return BodyStatus(verdict.convex, verdict.sign < 0, False)",
        "return BodyStatus(verdict.convex, verdict.sign > 0, False)",
    ),
    # Regimes: when contact begins and ends.
    Fault(
        "hysteresis_is_missed",
        "missed hysteresis",
        FRAMES,
        "if before != trajectory.SEPARATED and distance <= release:",
        "if before != trajectory.SEPARATED and distance <= contact:",
    ),
    Fault(
        "hysteresis_at_the_wrong_end",
        "missed hysteresis",
        FRAMES,
        "    if distance <= contact:\n",
        "    if distance <= release:\n",
    ),
    Fault(
        "overlap_ends_too_early",
        "missed hysteresis",
        FRAMES,
        "if before == trajectory.PENETRATING and distance < 0.0:",
        "if before == trajectory.PENETRATING and distance < -1.0:",
    ),
    Fault(
        "overlap_is_contact",
        "wrong sign",
        FRAMES,
        "if distance < -trajectory.PENETRATION * size:",
        "if distance > trajectory.PENETRATION * size and distance < 0.0:",
    ),
    Fault(
        "release_equals_contact",
        "missed hysteresis",
        REGIME,
        "release = 2.0 * contact",
        "release = 1.0 * contact",
    ),
    Fault(
        "regime_is_that_of_last_frame",
        "late event",
        PAIR,
        "regime = next_regime(regime, source, self._contact, self._release)\n"
        "        found",
        "regime = next_regime(\n"
        "                regime, before or source, self._contact, self._release\n"
        "            )\n        found",
    ),
    Fault(
        "regime_forgets_what_was",
        "missed hysteresis",
        PAIR,
        "                regime = before.regime\n",
        "                pass\n",
    ),
    # A and B.
    Fault(
        "answer_is_not_swapped_back",
        "swapped ids",
        ROWS,
        "return numbers.mirrored() if self.swapped else numbers",
        "return numbers",
    ),
    Fault(
        "parts_are_not_swapped_back",
        "swapped ids",
        CONTACT,
        "            parts_a=self.parts_b,\n",
        "            parts_a=self.parts_a,\n",
    ),
    Fault(
        "swap_is_never_noticed",
        "swapped ids",
        PAIR,
        "self._swapped = not self._swapped",
        "self._swapped = bool(self._swapped)",
    ),
    # The search: neighbours, signs, what is remembered.
    Fault(
        "last_frames_features_are_believed",
        "stale feature",
        ANSWER,
        "    return certify(a, b, pair)\n\n\n@kernel\ndef follow",
        "    certify(a, b, pair)\n    return True\n\n\n@kernel\ndef follow",
    ),
    Fault(
        "vertex_over_a_face_needs_no_proof",
        "stale feature",
        FOOTING,
        "    if result.miss > 0.0 or result.upper > limit:\n",
        "    if result.upper > limit + 1.0:\n",
    ),
    Fault(
        "neighbours_are_not_asked",
        "off-by-one neighbour",
        PLATEAU,
        "    for c in range(first, last):\n        i = 3 * side.beyond[c]\n",
        "    for c in range(first, first):\n        i = 3 * side.beyond[c]\n",
    ),
    Fault(
        "last_neighbour_is_not_asked",
        "off-by-one neighbour",
        PLATEAU,
        "            if mark[w] == 0:\n                i = 3 * w\n",
        "            if mark[w] == 0 and k < last - 1:\n                i = 3 * w\n",
    ),
    Fault(
        "higher_neighbours_do_not_matter",
        "off-by-one neighbour",
        PLATEAU,
        "            if not LOWEST < h < floor and mark[w] == 0:\n",
        "            if not LOWEST < h and mark[w] == 0:\n",
    ),
    Fault(
        "edge_next_to_the_right_one",
        "off-by-one neighbour",
        NAMING,
        "                side.edges[0] = side.star_edge[k]\n",
        "                side.edges[0] = side.star_edge[side.start[v]]\n",
    ),
    Fault(
        "name_of_the_edge_next_to_it",
        "off-by-one neighbour",
        NAMING,
        "name_part(part, 1, side.star_edge[k], 2, 1, 0)",
        "name_part(part, 1, side.star_edge[side.start[v]], 2, 1, 0)",
    ),
    Fault(
        "face_next_to_the_right_one",
        "off-by-one neighbour",
        NAMING,
        "    side.faces[0] = f\n    return True",
        "    side.faces[0] = max(0, f - 1)\n    return True",
    ),
    Fault(
        "vertex_number_off_by_one",
        "off-by-one neighbour",
        NAMING,
        "name_part(part, 0, v, 1, 0, 0)\n        return True",
        "name_part(part, 0, max(0, v - 1), 1, 0, 0)\n        return True",
    ),
    Fault(
        "flood_is_named_by_its_second",
        "off-by-one neighbour",
        NAMING,
        "name_part(part, 2, side.faces[0], count, edges, faces)",
        "name_part(part, 2, side.faces[faces - 1], count, edges, faces)",
    ),
    Fault(
        "gap_has_the_wrong_sign",
        "wrong sign",
        FOOTING,
        "gap = h - high if flip > 0.0 else low - h",
        "gap = high - h if flip > 0.0 else h - low",
    ),
    Fault(
        "normal_of_a_face_points_inwards",
        "wrong sign",
        ANSWER,
        "n = back(level_normal(b, result.part_b.faces, back(guide)))",
        "n = level_normal(b, result.part_b.faces, back(guide))",
    ),
    Fault(
        "normal_in_the_row_is_turned",
        "wrong sign",
        ROWS,
        "            (nx, ny, nz),\n            (ax + x",
        "            (-nx, -ny, -nz),\n            (ax + x",
    ),
    Fault(
        "distance_is_a_bit_too_long",
        "wrong number",
        MEASURE,
        "    gap = nx * w[0] + ny * w[1] + nz * w[2]\n",
        "    gap = 1.01 * (nx * w[0] + ny * w[1] + nz * w[2])\n",
    ),
    Fault(
        "depth_along_another_normal",
        "wrong number",
        ANSWER,
        "        result.distance = result.lower = low_b - high_a\n",
        "        result.distance = result.lower = low_b - low_a\n",
    ),
    Fault(
        "pose_of_b_is_late",
        "late event",
        VIEW,
        "    return (q[3] - p[3], q[7] - p[7], q[11] - p[11])",
        "    return (q[3] - p[3], q[7] - p[7], 0.99 * (q[11] - p[11]))",
    ),
    Fault(
        "ties_are_never_kept",
        "stale feature",
        MEASURE,
        "            if kin > nearest:\n",
        "            if kin > nearest + 3:\n",
    ),
    # The world: which pairs are near, when things move.
    Fault(
        "motion_is_a_frame_late",
        "late event",
        WORLD,
        "time = (index - self._waited[body.name]) * self._dt",
        "time = max(0, index - 1 - self._waited[body.name]) * self._dt",
    ),
    Fault(
        "bodies_deform_but_do_not_move",
        "wrong condition",
        WORLD,
        "if body.name in self._motion:\n",
        "if body.name in self._motion and index == 0:\n",
    ),
    Fault(
        "near_pairs_are_missed",
        "wrong condition",
        BROAD,
        "near = (low[b] <= high[a] + margin) & (low[a] <= high[b] + margin)",
        "near = (low[b] <= high[a] - margin) & (low[a] <= high[b] - margin)",
    ),
    # More of the same kinds: bodies and regions, the way into the world, A and B.
    Fault(
        "end_names_the_features_of_now",
        "stale feature",
        EVENTS,
        'first = was if kind in ("change", "end") else None',
        'first = {"change": was, "end": now}.get(kind)',
    ),
    Fault(
        "separate_is_told_as_penetrate",
        "wrong sign",
        EVENTS,
        "return tuple(kind for kind, did in happened.items() if did)",
        "return tuple(\n"
        '        kind.replace("separate", "penetrate")\n'
        "        for kind, did in happened.items()\n"
        "        if did\n"
        "    )",
    ),
    Fault(
        "every_event_begins_a_contact",
        "swapped ids",
        STAGE,
        "contact = contacts.get(pair, next_contact)",
        "contact = next_contact",
    ),
    Fault(
        "pairs_are_told_backwards",
        "order",
        STAGE,
        "        for pair, state in zip(pairs, states, strict=True):\n",
        "        for pair, state in reversed([*zip(pairs, states, strict=True)]):\n",
    ),
    Fault(
        "contact_out_of_sight_is_forgotten",
        "missing event",
        STAGE,
        "*told.contacts, *lasting})",
        "*lasting})",
    ),
    Fault(
        "boxes_are_of_the_rest_shape",
        "stale feature",
        STAGE,
        "    return body.world_points() if",
        "    return np.array(body.mesh.points) if",
    ),
    Fault(
        "regime_looks_only_as_far_as_contact",
        "missed hysteresis",
        PAIR,
        "if not source.distance > self._release:  # nearly always",
        "if not source.distance > self._contact:  # nearly always",
    ),
    Fault(
        "birth_is_forgotten",
        "missing event",
        REGIONS,
        "        elif not found:\n            touch = Touch.of(after, region)",
        "        elif not (was or found):\n            touch = Touch.of(after, region)",
    ),
    Fault(
        "death_is_forgotten",
        "missing event",
        REGIONS,
        "        elif not found:\n            touch = Touch.of(after if",
        "        elif not found and now:\n            touch = Touch.of(after if",
    ),
    Fault(
        "collapse_is_forgotten",
        "missing event",
        STANDING,
        "return self._replace(collapsed=True)",
        "return self._replace(collapsed=False)",
    ),
    Fault(
        "expanded_is_told_every_frame",
        "double event",
        STANDING,
        "        if new == old:\n            return (), new\n",
        "        if new == old and not new.convex:\n            return (), new\n",
    ),
    Fault(
        "upright_is_told_of_the_inverted",
        "wrong sign",
        STANDING,
        '("upright", old.inverted and not new.inverted)',
        '("upright", new.inverted and not old.inverted)',
    ),
    Fault(
        "edge_of_a_dent_is_turned",
        "swapped ids",
        DENTS,
        "ends = tail, tip",
        "ends = tip, tail",
    ),
    Fault(
        "normal_is_not_turned_with_the_bodies",
        "wrong sign",
        CONTACT,
        "n = (-x, -y, -z)",
        "n = (x, y, z)",
    ),
    Fault(
        "points_are_not_swapped_back",
        "swapped ids",
        CONTACT,
        "            point_a=self.point_b,\n            point_b=self.point_a,\n",
        "            point_a=self.point_a,\n            point_b=self.point_b,\n",
    ),
    Fault(
        "points_stay_in_the_frame_of_the_body",
        "wrong number",
        ROWS,
        "(ax + x, ay + y, az + z)",
        "(ax, ay, az)",
    ),
    Fault(
        "rotation_is_applied_transposed",
        "wrong sign",
        "sim/body/pose.py",
        "rows = [m[i, 0] * x + m[i, 1] * y + m[i, 2] * z + m[i, 3] for i in range(3)]",
        "rows = [m[0, i] * x + m[1, i] * y + m[2, i] * z + m[i, 3] for i in range(3)]",
    ),
)

# Faults that no story shows, each noticed by a test that was written for it.
TESTED = (
    Fault(
        "edges_by_their_points_too_soon",
        "wrong number",
        MEASURE,
        "> sqrt(sine) * size",
        "> sine * size",
    ),
    Fault(
        "reset_keeps_where_the_search_was",
        "stale feature",
        PAIR,
        "        self._buffers.forget_pair()\n",
        "",
    ),
    Fault(
        "region_out_of_sight_is_forgotten",
        "missing event",
        STAGE,
        "*told.contacts, *lasting})",
        "*self._contacts})",
    ),
    Fault(
        "regions_without_names_are_recorded",
        "stale feature",
        STAGE,
        "lost = last is not state and state.regions",
        "lost = False",
    ),
    Fault(
        "namesake_of_what_is_gone_is_no_change",
        "missing event",
        EVENTS,
        "changed = was != now or (gone and not went_on(before, after))",
        "changed = was != now",
    ),
    Fault(
        "identities_may_be_equal",
        "double event",
        EVENTS,
        "all(i < j for",
        "all(i <= j for",
    ),
    Fault(
        "surface_of_a_compound_is_not_asked_about",
        "wrong file",
        "sim/story/file/session.py",
        "(c.convexity, c.flatness, c.has_surface)",
        "(c.convexity, c.flatness)",
    ),
    Fault(
        "file_is_shorter_than_it_says",
        "wrong file",
        "sim/story/file/table.py",
        "lengthen(file.id.get_vfd_handle(), size)",
        "pass",
    ),
    Fault(
        "ends_of_a_frame_are_not_sealed",
        "wrong file",
        "sim/story/file/layout.py",
        "    total.update(ends.tobytes())\n",
        "",
    ),
    Fault(
        "child_takes_any_memory",
        "wrong file",
        "sim/story/file/inspection.py",
        "    limit_memory(os.stat(name).st_size)\n",
        "",
    ),
    Fault(
        "pickled_mesh_forgets_its_tolerance",
        "wrong number",
        "wingedge/tables.py",
        "(*values, self.planar_tolerance)",
        "values",
    ),
    Fault(
        "hull_with_another_mesh_is_not_newer",
        "stale feature",
        "sim/hulls/solid.py",
        "            self._version += 1\n",
        "",
    ),
    Fault(
        "no_settings_are_any_settings",
        "wrong file",
        "viewer/cli/run.py",
        "if before != settings",
        "if before and before != settings",
    ),
)

# Faults that the stories do not notice, and why.  They count as not noticed.
SURVIVORS: dict[str, str] = {
    "last_frames_features_are_believed": "a second proof stands behind the one that is "
    "left out: where others stand as high, `one_frame` sends it to the search",
    "flood_is_named_by_its_second": "the faces of a part are listed and sorted anew; "
    "this one is but the label of corners of a patch, which no story tells",
    "depth_along_another_normal": "both parts are level there within 1e-12 of size, "
    "so the distance changes by less than the 1e-9 that are compared",
    "ties_are_never_kept": "it is for the corner of a patch that carries the points; "
    "where the closest points are not unique no story tells them",
    "expanded_is_told_every_frame": "what it goes on to finds nothing to tell: another "
    "way to say the same",
}
