import { isPlain } from './plainText.ts'
import { type Own, own, type Say } from './sayIn.ts'

const simpleAddress = /^[A-Za-z0-9._-]{1,64}@[A-Za-z0-9.-]{1,255}$/
const mostLetters = 40

/**
 * What a mail calls its reader: the user name, unless it looks like a link or like a message. Many people's name is
 * their address; it is shown where the mail goes to that very address.
 */
export function greet(say: Say, { username, email }: { username: string; email: string }): string | Own {
  if (username.toLowerCase() === email.toLowerCase() && simpleAddress.test(email)) return own(email)
  return isPlain(username) && username.length <= mostLetters ? username : own(say('reader'))
}
