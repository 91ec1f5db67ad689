export type PasswordMeasure = { level: 0 | 1 | 2 | 3 | 4; words: string }

/** A hint while typing, no gate: length counts most, sameness counts against. The server decides. */
export function measurePassword(password: string, minLength: number): PasswordMeasure {
  if (!password) return { level: 0, words: `At least ${minLength} characters.` }
  const missing = minLength - [...password].length
  if (missing > 0) return { level: 1, words: `${missing} more ${missing === 1 ? 'character' : 'characters'} needed.` }
  const distinct = new Set(password.toLowerCase()).size
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/].filter((kind) => kind.test(password)).length
  const score = Math.min(distinct, 16) + password.length / 2 + kinds * 2
  if (distinct < 5 || score < 15) return { level: 2, words: 'Easy to guess. A few unrelated words work well.' }
  if (score < 23) return { level: 3, words: 'Good.' }
  return { level: 4, words: 'Strong.' }
}
