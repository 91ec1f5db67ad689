import { randomUUID } from 'node:crypto'
import { answerChallenge } from '../answerChallenge.ts'
import type { Answer } from '../createTestServer.ts'
import { type ChallengeOptions, createAuthenticator } from './createAuthenticator.ts'
import { asking, opened, type People, type Person } from './Person.ts'

/** Each sign-in method of a person, tried: true if it opens the account. */
export function createSignInAttempts(people: People) {
  const { serverOf, call } = people
  return {
    async tryThisSession(person: Person) {
      return opened(await call('GET', '/users/me', undefined, person.token), person)
    },
    async tryOtherSession(person: Person) {
      return opened(await call('GET', '/users/me', undefined, person.otherToken), person)
    },
    async tryAccessToken(person: Person) {
      return opened(await call('GET', '/users/me', undefined, person.accessToken), person)
    },
    async tryPassword(person: Person) {
      const { username, password } = person
      return opened(await call('POST', '/login', { username, password }), person)
    },
    async tryPasskey(person: Person) {
      return opened(await signInByPasskey(people, person), person)
    },
    async tryWallet(person: Person) {
      const from = randomUUID()
      const proof = await answerChallenge(serverOf(), person.wallet, 'signIn', asking('', from))
      return opened(await call('POST', '/auth/signInWithWallet', proof, undefined, from), person)
    },
    async tryGuestId(person: Person) {
      return opened(await call('POST', '/users', { authData: { anonymous: { id: person.guestId } } }), person)
    },
    async tryIdentity(person: Person) {
      return opened(await call('POST', '/users', { authData: { social: { id: person.socialId } } }), person)
    },
    async tryRecoveryCode(person: Person) {
      const { username, codes } = person
      return opened(await call('POST', '/auth/signInWithRecoveryCode', { username, code: codes[0] }), person)
    },
    async tryEmailCode(person: Person) {
      const { handle, code, from } = person.mailed
      return opened(await call('POST', '/auth/signInWithEmailCode', { handle, code }, undefined, from), person)
    },
    signInByPasskey: (person: Person, wishes?: object) => signInByPasskey(people, person, wishes),
  }
}

/** Each thing that was begun, mailed or set aside before, tried: true if it still works. */
export function createLaterAttempts(people: People) {
  const { serverOf, call } = people
  return {
    /** By any session that can still be had. */
    async tryRestore(person: Person) {
      const { body } = await signInByPasskey(people, person)
      const outcomes = new Set<boolean>()
      for (const path of person.setAside) {
        const answers: number[] = []
        // After a merge the passkey opens the account that stays, which has something set aside of its own.
        const last = body.objectId === person.objectId ? [String(body.sessionToken)] : []
        for (const token of [person.token, person.otherToken, ...last]) {
          answers.push((await call('POST', `/auth/${path}/restore`, {}, token)).status)
        }
        outcomes.add(answers.includes(200))
      }
      if (outcomes.size !== 1) throw new Error('A wallet, a passkey and an identity are not treated alike')
      return outcomes.has(true)
    },
    async tryChallenge({ challenge, otherToken, elsewhere }: Person) {
      return (await call('POST', '/auth/wallets', challenge, otherToken, elsewhere)).status < 300
    },
    async tryRegistration({ registration, otherToken, elsewhere }: Person) {
      const credential = createAuthenticator(serverOf().context.publicUrl).register(registration)
      return (await call('POST', '/auth/passkeys', { credential }, otherToken, elsewhere)).status < 300
    },
    async tryVerification({ verificationToken }: Person) {
      return (await call('POST', '/verifyEmail', { token: verificationToken })).status === 200
    },
    async tryReset({ resetToken }: Person) {
      return (await call('POST', '/resetPassword', { token: resetToken, password: 'once more' })).status === 200
    },
    async tryUndo({ undoToken }: Person) {
      return (await call('POST', '/undoEmailChange', { token: undoToken })).status === 200
    },
    /** The link alone does nothing, so a response that asks for the proof says that it works. */
    async tryRecoveryMail({ recoveryToken }: Person) {
      return (await call('POST', '/recoverAccount', { token: recoveryToken })).body.reason === 'proofMissing'
    },
  }
}

/** Signs in with the passkey; `wishes` are further fields of the call. */
async function signInByPasskey({ call }: People, { passkey }: Person, wishes: object = {}): Promise<Answer> {
  const from = randomUUID()
  const { body } = await call('POST', '/auth/passkeys/challenge', { purpose: 'signIn' }, undefined, from)
  const credential = passkey.assert(body.options as ChallengeOptions)
  return call('POST', '/auth/signInWithPasskey', { credential, ...wishes }, undefined, from)
}
