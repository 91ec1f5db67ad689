import { speech } from './speech.ts'

/** What the server or the session layer says of a failure, with the stable name that translations go by. */
export type Failure = {
  reason?: string
  params?: Readonly<Record<string, string | number | boolean>>
  message: string
}

/** A failure in the language of the reader; the English sentence where that language has none for the reason. */
export function translateError({ reason, params = {}, message }: Failure): string {
  const { words, fill } = speech.get()
  const text = reason === undefined ? undefined : words[`reason.${reason}`]
  if (text === undefined) return message
  const values = Object.entries(params).map(([name, value]) => [name, String(value)])
  return fill(text, Object.fromEntries(values))
}
