import { say } from './say.ts'
export type PasswordMeasure = { level: 0 | 1 | 2 | 3 | 4; words: string }

/** A hint while typing, no gate: length counts most, sameness counts against. The server decides. */
export function measurePassword(password: string, minLength: number): PasswordMeasure {
  if (!password) return { level: 0, words: say('At least {count} characters.', { count: minLength }) }
  const missing = minLength - [...password].length
  if (missing > 0)
    return {
      level: 1,
      words: say('{count, plural, one {# more character needed.} other {# more characters needed.}}', {
        count: missing,
      }),
    }
  const distinct = new Set(password.toLowerCase()).size
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/].filter((kind) => kind.test(password)).length
  const score = Math.min(distinct, 16) + password.length / 2 + kinds * 2
  if (distinct < 5 || score < 15) return { level: 2, words: say('Easy to guess. A few unrelated words work well.') }
  if (score < 23) return { level: 3, words: say('Good.') }
  return { level: 4, words: say('Strong.') }
}
