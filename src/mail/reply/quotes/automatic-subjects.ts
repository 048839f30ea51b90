// How the subjects of automatic answers start, by language.

/** Matched without Re: and the like. "Out of office hours?" is a question and does not match. */
export const automaticSubjects: readonly RegExp[] = [
  // en
  /^(automatic|auto|automated)[- ]?(reply|response|answer)\s*([:：\-–]|$)/i,
  /^auto\s*:/i,
  /^(i('m| am) )?(currently )?(out of (the )?office|ooo|away from (the|my) (office|desk))(\s+(auto[- ]?)?(reply|response|message|notification|notice))?\s*([:：\-–!.(]|$)/i,
  /^(vacation|holiday) (reply|response|notice|message)\b/i,
  // de
  /^(automatische|autom\.) (antwort|abwesenheits\w{0,20}|eingangsbest\w{0,20}|r(ü|ue)ckmeldung|e-?mail-?antwort)\s*([:：\-–]|$)/i,
  /^abwesenheits(notiz|nachricht|meldung|benachrichtigung|assistent)\b/i,
  /^(ich bin )?(derzeit |zurzeit )?(abwesend|nicht im (b(ü|ue)ro|haus)|au(ß|ss)er haus)\s*([:：\-–!.]|$)/i,
  // fr
  /^r(é|e)ponse automatique\s*([:：\-–]|$)/i,
  /^(message d['’]|notification d['’])?absence( du bureau)?\s*([:：\-–]|$)/i,
  /^absent(e)? du bureau\b/i,
  // es
  /^respuesta autom(á|a)tica\s*([:：\-–]|$)/i,
  /^(fuera de (la )?oficina|ausente de la oficina)\s*([:：\-–!.]|$)/i,
  // it
  /^risposta automatica\s*([:：\-–]|$)/i,
  /^(fuori (ufficio|sede)|assente dall['’]ufficio)\s*([:：\-–!.]|$)/i,
  // nl
  /^(automatisch(e)? (antwoord|bericht|reactie|beantwoording)|afwezigheids(bericht|melding|assistent)|niet op kantoor|afwezig)\s*([:：\-–!.]|$)/i,
  // pl
  /^(automatyczna odpowied(ź|z)|odpowied(ź|z) automatyczna|autoodpowied(ź|z)|autoresponder|poza biurem|nieobecno(ść|sc) w biurze)\s*([:：\-–!.]|$)/i,
  // pt
  /^(resposta autom(á|a)tica|fora do escrit(ó|o)rio|aus(ê|e)ncia do escrit(ó|o)rio)\s*([:：\-–!.]|$)/i,
  // ru
  /^(автоматический ответ|автоответ(чик)?|меня нет на месте|вне офиса|нет на рабочем месте)\s*([:：\-–!.]|$)/iu,
  // sv
  /^(autosvar|automatiskt svar|fr(å|a)nvaro(meddelande)?|ej p(å|a) kontoret)\s*([:：\-–!.]|$)/i,
  // da
  /^(automatisk(t)? (svar|besvarelse)|autosvar|ikke p(å|aa) kontoret|frav(æ|ae)r(sbesked)?)\s*([:：\-–!.]|$)/i,
  // nb
  /^(automatisk svar|autosvar|ikke p(å|aa) kontoret|frav(æ|ae)r(smelding)?)\s*([:：\-–!.]|$)/i,
  // fi
  /^(automaattinen vastaus|poissa(olo(ilmoitus|viesti)?)?( toimistosta)?|lomavastaaja)\s*([:：\-–!.]|$)/i,
  // cs
  /^(automatick(á|a) odpov(ě|e)(ď|d)|mimo kancel(á|a)(ř|r)|nep(ř|r)(í|i)tomnost)\s*([:：\-–!.]|$)/i,
  // zh
  /^(自动(回复|回覆|答复)|自動(回覆|回復|答覆)|(我)?不在办公室|外出(自动)?回复|休假自动回复)/,
  // ja
  /^(自動(返信|応答|回答)|不在(通知|のお知らせ|のため)|【自動(返信|応答)】|\[自動(返信|応答)\])/,
];
