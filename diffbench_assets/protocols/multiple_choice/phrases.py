"""The words by which answers state a letter, or do not: a table of their roles, in the languages of answers.

Belongs here: words. Does not belong here: how roles make a statement (`parse.py`), characters and markup (`plain.py`).

A role is one character, so that a clause is a short string and a rule a pattern over it. `_` stands for a space; words
may stand without their accents.
"""

from __future__ import annotations

import unicodedata
from typing import Final

ANSWER, NAME, RIGHT, TRULY, VERB, SAY, ME, LINK, IT, THAT, GLUE, OF = "anrtvsmliqgo"
SO, BUT, TURN, NOT, NOR, NO, NOT_BEFORE, DOUBT, AND, OR, IF, REASON, AFTER = "zbcxweydjhfkp"
UNKNOWN: Final = "u"
"""What a word of no role is."""

_WORDS: Final = {
    ANSWER: """
        answer ans selection guess pick verdict conclusion prediction solution response result output vote final boxed
        decision antwort lösung réponse respuesta resposta risposta ответ ответом antwoord odpowiedź odpowiedź_to
        odpowiedzią cevap yanıt svar الإجابة الجواب उत्तर जवाब đáp_án câu_trả_lời 答案 答え 回答 解答 正解 정답 답
        답변 해답
    """,
    NAME: """
        option choice statement letter label alternative description claim sentence one opción alternativa enunciado
        afirmación letra choix lettre énoncé affirmation proposition phrase aussage buchstabe auswahl behauptung
        variante möglichkeit opção afirmação opzione affermazione lettera вариант вариантом утверждение буква optie
        keuze bewering opcja litera stwierdzenie seçenek şık الخيار विकल्प lựa_chọn phương_án 选项 選項 选择项 项 項
        選択肢 陈述 描述 说法 記述 文 선택지 보기 옵션 번 문장 설명 진술 것
    """,
    RIGHT: """
        correct right true best accurate chosen selected remaining valid truthful correcta correcto verdadera
        verdadero cierta cierto mejor correcte exacte juste bonne bon vraie vrai meilleure richtig richtige richtiger
        korrekt korrekte wahr wahre zutreffend zutreffende trifft_zu stimmt correta correto verdadeira verdadeiro
        certa certo melhor corretta corretto giusta giusto vera vero esatta migliore правильный правильная правильным
        правильное верный верная верно верна верен верным правильно juiste juist prawidłowa poprawna właściwa
        prawdziwa doğru الصحيحة الصحيح صحيحة صحيح सही đúng 正确 正確 正しい 对 對 准确 맞는 맞다 맞습니다 맞아요
        올바른 옳은 옳습니다 옳다 정확한 정확합니다
    """,
    TRULY: "correctly accurately truthfully correctamente correctement corretamente correttamente",
    VERB: """
        describes describe matches match states reflects captures fits corresponds_to décrit beschreibt descreve
        descrive описывает
    """,
    SAY: """
        choose chose choosing select selecting picking picked go_with going_with go_for going_for opt_for settle_on
        vote_for answer_with say can_conclude conclude believe think mean elijo escojo selecciono creo choisis
        sélectionne crois pense wähle nehme glaube denke escolho seleciono acho acredito scelgo seleziono credo penso
        выбираю думаю считаю kies denk wybieram seçiyorum 选择 选 選擇 選 认为 選びます 選択します 選択 と思います
        と思う と考えます 선택합니다 선택하겠습니다 고릅니다 고르겠습니다 선택 라고_생각합니다 생각합니다
    """,
    ME: "i we me i'd i'll i'm i've let's let je nous ich wir yo eu io я мы ik ja 我 我们 私 저는 나는 제가",
    LINK: """
        is was are be been am remains becomes equals looks_like would should must will has_to seems appears : = está
        sería será est serait ist wäre lautet é seria è sarebbe это является jest هي هو है là 是 为 為 应为
    """,
    AFTER: "です だ である になります 입니다 이다 이에요 예요 라고 이라고",
    IT: "it this these those them es ce das dies isso questo",
    THAT: "that que dass che что",
    GLUE: """
        the my your our have most only just really clearly definitely certainly obviously simply indeed still now here
        likely probably above confident certain fairly quite very can_see in_fact of_course los el la lo las más muy
        clara le les l mon votre die der den dem meine mein eindeutig klar wahrscheinlich a minha meu il quella quello
        mia più мой моя самый het de mijn 的 了 最 应该 应 該 最终 最終 最も は が を に の で 은 는 이 가 을 를 로
        으로 가장 제 최종 바로 का की के
    """,
    OF: "question to of for among in on del des du zu für à per para da do di к for_the",
    SO: """
        so thus hence therefore yes accordingly finally ultimately well ok okay sure consequently overall
        in_conclusion in_summary entonces así por_tanto por_lo_tanto sí donc ainsi alors oui daher somit deshalb
        folglich portanto então assim sim quindi dunque perciò поэтому следовательно итак значит да dus więc 所以 因此
        故 综上 综上所述 よって したがって 従って 따라서 그러므로 그래서
    """,
    BUT: "but however yet sondern sino pero aber mais ma mas bensì но а 而是 但是 但 しかし だが 그러나 하지만",
    TURN: """
        actually wait correction sorry hmm oops instead rather apologies i_was_wrong i_stand_corrected
        on_second_thought on_second_thoughts scratch_that perdón espera corrección attends pardon moment korrektur
        entschuldigung espere desculpe correção aspetta scusa correzione подождите извините исправление точнее 等等
        更正 抱歉 すみません 訂正 待って 잠깐 정정 죄송합니다
    """,
    NOT: """
        not never cannot unable cant dont isnt wont wrong incorrect false untrue invalid worst unlikely without over
        rather_than instead_of as_opposed_to except all_but anything_but everything_but nothing_but ruled_out rule_out
        eliminate eliminated exclude excluded reject rejected nunca falso falsa incorrecta incorrecto en_lugar_de
        en_vez_de pas jamais faux fausse incorrecte plutôt_que au_lieu_de nicht nie kein keine falsch falsche unwahr
        statt anstatt incorreta errada errado em_vez_de mai errata sbagliata scorretta invece_di не неверно
        неправильно неверный неправильный ложно вместо niet onjuist fałszywa błędna değil yanlış ليس خطأ नहीं गलत
        không sai 不是 不 不正确 不正確 不对 并非 並非 错误 錯誤 错 而不是 而非 不正解 間違い 誤り 違います 違う
        ではありません ではない じゃない じゃありません 아닙니다 아니다 아니에요 틀린 틀렸습니다 틀립니다 오답 잘못된
    """,
    NOR: "nor neither ni weder noch né ни nem ani",
    NO: "no nope nein non não нет nee hayır いいえ いや 아니요 아뇨",
    NOT_BEFORE: "ではなく でなく じゃなく じゃなくて 아니라 아니고 말고",
    DOUBT: """
        maybe even perhaps possibly could might may can also too unsure uncertain equally alternatively possible
        potentially tempted thought initially seemed assumed as_well not_sure no_idea doubt between partly partially
        second_choice quizá quizás tal_vez posiblemente podría puede también peut peut-être pourrait aussi également
        possiblement vielleicht möglicherweise könnte kann auch eventuell ebenfalls talvez possivelmente poderia pode
        também forse potrebbe può anche возможно может может_быть тоже также misschien ook może też belki ربما शायद
        có_thể 可能 可能是 也许 或许 也 也是 都 両方 모두 かもしれません かもしれない かも たぶん もしかしたら
        もしかすると も 아마 아마도 수도 도
    """,
    AND: "and then both as_well_as plus & y e et und и oraz ve و और và 和 与 與 及 以及 と や 와 과 하고 그리고",
    OR: """
        or either / vs versus xor else otherwise or_else o u ou oder или либо или_же albo lub veya ya_da أو या hoặc 或
        或者 还是 または もしくは あるいは か 또는 혹은 이나 나
    """,
    IF: """
        if unless suppose supposing assuming assume whether provided si wenn falls ob se caso если jeśli eğer إذا अगर
        nếu 如果 若 假如 もし なら ならば 만약 만일 라면 이라면
    """,
    REASON: """
        because since as given due which while although though whereas explanation reason reasoning rationale
        justification confidence means making leaving porque ya_que pues parce_que puisque weil denn obwohl pois
        perché poiché потому поскольку так_как omdat ponieważ çünkü لأن क्योंकि vì 因为 因為 由于 なぜなら ため ので
        から 왜냐하면 때문에
    """,
}


def _bare(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))


_EXACT: Final = {word.replace("_", " "): role for role, words in _WORDS.items() for word in words.split()}
ROLES: Final = {_bare(word): role for word, role in _EXACT.items() if word < "\u0e00"} | _EXACT
