import { isMailLanguage, type MailLanguage } from './languages.ts'

/**
 * What a mail is written in: the language that its reader chose for the account, else the one that the browser of
 * whoever asks likes best (Accept-Language) of those that are spoken here. Undefined is English.
 */
export function chooseLanguage(chosen: unknown, accepted?: string): MailLanguage | undefined {
  if (isMailLanguage(chosen)) return chosen
  if (chosen === 'en') return undefined
  const wanted = (accepted ?? '')
    .slice(0, 500)
    .split(',')
    .map(readRange)
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .find(({ language }) => language === 'en' || isMailLanguage(language))?.language
  return isMailLanguage(wanted) ? wanted : undefined
}

/** `de-AT;q=0.8` */
function readRange(range: string): { language: string | undefined; weight: number } {
  const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((each) => each.startsWith('q='))?.slice(2)
  return { language: tag.split('-')[0], weight: weight === undefined ? 1 : Number(weight) || 0 }
}
