"""What is said in the recording, in both languages: a request, a gate with a diff, yes, tests, done."""

GREET = 'def greeting(name):\n    return "Hello"\n'
TEST = (
    "import unittest\n\nfrom greet import greeting\n\n\nclass Greeting(unittest.TestCase):\n"
    '    def test_says_hello(self):\n        self.assertTrue(greeting("Ada").startswith("Hello"))\n'
)
FILES = {"greet.py": GREET, "test_greet.py": TEST}

SAID = {
    "en": {
        "request": "greet people by name, and test it",
        "plan": "I will put the name into the greeting and add a test that says so. Both files are small; nothing else uses them.",
        "why": "the greeting ignores its argument",
        "test": "the new behaviour needs a test",
        "goal": "greet people by name",
        "review": "greeting(\"Ada\") gives \"Hello, Ada!\" now, and both tests pass.",
        "gate": "[v]iew >",
        "accepted": "The task is done.",
    },
    "ja": {
        "request": "名前を呼んであいさつするようにして。テストもお願い",
        "plan": "あいさつに名前を入れ、それを確かめるテストを足します。どちらも小さなファイルで、ほかからは使われていません。",
        "why": "引数の名前が使われていないため",
        "test": "新しい動きにはテストが必要なため",
        "goal": "名前を呼んであいさつする",
        "review": "greeting(\"Ada\") は \"Hello, Ada!\" を返すようになり、テストは2件とも通りました。",
        "gate": "[v]全文 >",
        "accepted": "作業が完了しました。",
    },
}


def replies(lang):
    """The model's replies, in order."""
    said = SAID[lang]
    common = {"goal_consistency": "yes", "constraint_check": "yes", "prompt_pattern": "base_main"}
    edit = {
        "operation": "edit", "path": "greet.py", "old": 'return "Hello"', "content": 'return f"Hello, {name}!"',
        "rationale": said["why"],
    }
    grown = {
        "operation": "edit", "path": "test_greet.py", "old": '.startswith("Hello"))\n',
        "content": '.startswith("Hello"))\n\n    def test_says_the_name(self):\n'
        '        self.assertEqual(greeting("Ada"), "Hello, Ada!")\n',
        "rationale": said["test"],
    }
    review = {"rating": "good", "problems": [], "proposals": [], "approval": "approved"}
    return [
        {"rationale": said["why"], "reply": said["plan"], **common, "next_step": "done", "step": "PLANNING",
         "state_delta": {"goal": said["goal"]}, "actions": [edit, grown]},
        {"rationale": said["goal"], "reply": said["review"], **common, "next_step": "done", "step": "REVIEW",
         "review": review},
    ]
