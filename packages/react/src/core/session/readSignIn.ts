import type { Connection } from '../Connection.ts'
import { missingUser } from '../missingUser.ts'
import { readRecord } from '../wire/readRecord.ts'
import { createCredential } from './createCredential.ts'
import type { SignInAnswer } from './signIn.ts'

/** The user and the session in an answer that has to have both. */
export function readSignIn(
  connection: Connection,
  answer: { readonly sessionToken?: string },
  action: Parameters<typeof missingUser>[0] = 'sign-in',
): SignInAnswer {
  const record = readRecord(answer)
  const credential = createCredential(connection, answer.sessionToken)
  if (!record || !credential) throw missingUser(action)
  return { record, credential }
}
