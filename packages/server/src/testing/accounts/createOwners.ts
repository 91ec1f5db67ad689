import { randomUUID } from 'node:crypto'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { answerChallenge } from '../answerChallenge.ts'
import type { Answer, TestServer } from '../createTestServer.ts'
import { readMailToken } from '../readMails.ts'
import { newAddress } from './createPerson.ts'

export type Owner = { objectId: string; token: string; username: string; email: string; password: string }

export const newKey = () => privateKeyToAccount(generatePrivateKey())

/** Throws unless the request succeeded. */
function done(answer: Answer): Answer {
  if (answer.status >= 300) throw new Error(`Refused: ${answer.status} ${answer.text}`)
  return answer
}

/** Owners of accounts and their acts, each from a browser of its own unless one is given. */
export function createOwners(server: TestServer) {
  const call = (method: string, path: string, body?: object, token?: string, from: string = randomUUID()) =>
    server.call(method, path, body, { headers: { 'X-Parse-Installation-Id': from }, ...(token && { token }) })

  const tokenFor = (address: string, page: string) => readMailToken(server, address, page)

  /** Somebody with a password and a verified address. */
  async function createOwner(): Promise<Owner> {
    const [username, email] = [`owner-${randomUUID()}`, newAddress()]
    const { objectId, token } = await server.signUp(username, { email })
    await server.call('POST', '/verifyEmail', { token: await tokenFor(email, '/verify-email') }, { token })
    return { objectId, token, username, email, password: `${username} password` }
  }

  const logIn = (username: string, password: string, more: object = {}) =>
    call('POST', '/login', { username, password, ...more })

  async function signInByWallet(wallet: PrivateKeyAccount, more: object = {}): Promise<Answer> {
    const from = randomUUID()
    const headers = { 'X-Parse-Installation-Id': from }
    const proof = await answerChallenge(server, wallet, 'signIn', { token: '', headers })
    return call('POST', '/auth/signInWithWallet', { ...proof, ...more }, undefined, from)
  }

  async function linkWallet(token: string, wallet = newKey()) {
    const from = randomUUID()
    const proof = await answerChallenge(server, wallet, 'link', { token, headers: { 'X-Parse-Installation-Id': from } })
    const { body } = done(await call('POST', '/auth/wallets', proof, token, from))
    return { wallet, objectId: String(body.objectId) }
  }

  /** By somebody who has a fresh session of the account that goes; returns the id of the merge. */
  async function mergeAway(goesToken: string, intoToken: string): Promise<string> {
    const { body } = done(await call('POST', '/auth/merges', { sessionToken: goesToken }, intoToken))
    done(await call('POST', `/auth/merges/${body.objectId}`, {}, intoToken))
    return String(body.objectId)
  }

  return { call, tokenFor, createOwner, logIn, signInByWallet, linkWallet, mergeAway }
}
