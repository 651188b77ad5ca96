"""What red-dwarf says of votes, for tests/peer/main.rs to compare with ours.

Reads a JSON list of cases from standard input, each with `votes` (participant_id, statement_id, vote, modified), `groups`
(a group for each participant who is in one), `moderated` (statements that were taken out) and the export files `votes_csv`
and `comments_csv`. Writes a JSON list with red-dwarf's figures of each. Calls nothing but red-dwarf's own functions, and
compares nothing: that is done where a difference is a failed test.
"""

import csv
import io
import json
import sys

from reddwarf.implementations.base import run_pipeline
from reddwarf.models import Statement, Vote
from reddwarf.utils.consensus import select_consensus_statements
from reddwarf.utils.matrix import generate_raw_matrix, simple_filter_matrix
from reddwarf.utils.reducer.base import run_reducer
from reddwarf.utils.stats import calculate_comment_statistics_dataframes, select_representative_statements

FIGURES = ["na", "nd", "ns", "pa", "pat", "ra", "rat", "pd", "pdt", "rd", "rdt"]


def of_given_groups(raw, groups, moderated):
    members = [participant for participant in raw.index if str(participant) in groups]
    labels = [groups[str(participant)] for participant in members]
    stats, consensus = calculate_comment_statistics_dataframes(raw.loc[members, :], labels)
    chosen = select_representative_statements(stats, mod_out_statement_ids=moderated)
    return {
        "figures": {
            str(statement): [[float(stats.loc[(group, statement), name]) for name in FIGURES] for group in sorted(set(labels))]
            for statement in raw.columns
        },
        "group_aware": {
            str(statement): [
                float(consensus.loc[statement, "group-aware-consensus-agree"]),
                float(consensus.loc[statement, "group-aware-consensus-disagree"]),
            ]
            for statement in raw.columns
        },
        "representative": [
            [
                [str(one["tid"]), one["repful-for"], float(one["repness"]), float(one["repness-test"]), bool(one.get("best-agree"))]
                for one in chosen[group]
            ]
            for group in sorted(chosen)
        ],
    }


def of_whole(raw, moderated):
    filtered = simple_filter_matrix(raw, moderated)
    people, statements, pca = run_reducer(filtered.values)
    consensus = select_consensus_statements(raw, mod_out_statement_ids=moderated)
    names = [str(statement) for statement in raw.columns]
    return {
        "statements": names,
        "components": pca.components_.tolist(),
        "variance": pca.explained_variance_.tolist(),
        "explained": pca.explained_variance_ratio_.tolist(),
        "places": dict(zip(map(str, raw.index), people.tolist())),
        "statement_places": dict(zip(names, statements.tolist())),
        "consensus": {
            side: [[str(one["tid"]), float(one["p-success"]), float(one["p-test"])] for one in consensus[side]]
            for side in ["agree", "disagree"]
        },
    }


def own_groups(case):
    result = run_pipeline(votes=case["votes"], mod_out_statement_ids=case["moderated"])
    labels = result.participants_df["cluster_id"]
    return {str(participant): int(label) for participant, label in labels.dropna().items()}


def of_files(case):
    votes = [Vote(**row).model_dump(mode="json") for row in csv.DictReader(io.StringIO(case["votes_csv"]))]
    comments = [Statement(**row).model_dump(mode="json") for row in csv.DictReader(io.StringIO(case["comments_csv"]))]
    return {
        "votes": sorted([vote["participant_id"], vote["statement_id"], vote["vote"]] for vote in votes),
        "taken_out": sorted(comment["statement_id"] for comment in comments if comment["moderated"] == -1),
    }


def answer(case):
    raw = generate_raw_matrix(case["votes"])
    return {
        "given": of_given_groups(raw, case["groups"], case["moderated"]),
        "whole": of_whole(raw, case["moderated"]),
        "own_groups": own_groups(case),
        "files": of_files(case),
    }


json.dump([answer(case) for case in json.load(sys.stdin)], sys.stdout)
