import { expect, type Page } from '@playwright/test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { createApi } from '../createApi.mjs'
import { linkWallet, showWallet } from '../steps/linkWallet.mjs'
import { newName } from '../steps/newName.ts'
import { asMaster } from '../steps/operators.ts'
import { password } from '../steps/password.mjs'
import { currentCode } from '../steps/totp.ts'
import { registerPasskey, signInByPasskey } from './keepPasskey.ts'
import { readLink, readMail } from './readMail.ts'

type Answer = Record<string, unknown>

/** `document` is the path of an object that its owner alone reads. */
type Stolen = { token: string; objectId: string; username: string; document: string }

type Tools = {
  api: ReturnType<typeof createApi>
  /** A browser with an authenticator. */
  page: Page
  /** Steps of 30 seconds that the server's clock is ahead. */
  ahead: () => number
}

/** Somebody who has the session of another person, a mailbox, keys, a device and an account of the own. */
export function createThief({ api, page, ahead }: Tools, { token, objectId, username, document }: Stolen) {
  const name = newName('thief')
  const email = `${name}@example.net`
  const wallet = privateKeyToAccount(generatePrivateKey())
  const ways: Record<string, () => Promise<boolean>> = {
    session: async () => (await api.me(token)).objectId === objectId,
  }
  let own = ''

  const isIn = (answer: Answer) => answer.objectId === objectId || answer.reason === 'secondFactorRequired'
  const call = async (method: string, path: string, body?: Answer, as = token): Promise<Answer> =>
    accepted(path, await api.call(method, path, body, { token: as }))

  return {
    email,

    async linkWallet() {
      await linkWallet(api, wallet, { token })
      ways.wallet = async () => isIn(await showWallet(api, wallet, { wishes: { restoreAccount: true } }))
    },

    addTotp: () => addTotp(token),

    async addPasskey() {
      accepted('passkey', await registerPasskey(page, token))
      ways.passkey = async () => isIn(await signInByPasskey(page))
    },

    async makeRecoveryCodes() {
      const { codes } = (await call('POST', '/auth/recoveryCodes', {})) as { codes: string[] }
      ways.recoveryCode = async () =>
        isIn(await api.call('POST', '/auth/signInWithRecoveryCode', { username, code: codes.pop() }))
    },

    async registerDevice() {
      const user = { __type: 'Pointer', className: '_User', objectId }
      const device = { installationId: name, deviceType: 'ios', deviceToken: name, user }
      await call('POST', '/installations', device)
      ways.device = () => isPushedTo(page, name)
    },

    /** `isVerified`: by the link in the thief's mailbox, in the stolen session. */
    async changeAddress({ isVerified = true } = {}) {
      await call('PUT', `/users/${objectId}`, { email })
      const link = await readLink(page, email, '/verify-email')
      if (isVerified) await call('POST', '/verifyEmail', { token: link })
      else ways.verification = async () => (await api.call('POST', '/verifyEmail', { token: link })).status === 200
      ways.mailbox = () => isOpenedByCode()
    },

    /** `hasTotp`: an account with a second factor goes only into one that has one, too. */
    async mergeAway({ hasTotp = false } = {}) {
      own = String((await call('POST', '/users', { username: name, password }, '')).sessionToken)
      if (hasTotp) await addTotp(own)
      const { objectId: merge } = await call('POST', '/auth/merges', { sessionToken: token }, own)
      await call('POST', `/auth/merges/${merge}`, {}, own)
      ways.ownAccount = async () => (await api.call('GET', document, undefined, { token: own })).status === 200
    },

    /** From the account, or from the one that it was merged into. */
    async unlink(address: string) {
      const { results } = await call('GET', '/auth/wallets', undefined, own || token)
      const wallets = results as { objectId: string; address: string }[]
      const found = wallets.find((one) => one.address.toLowerCase() === address.toLowerCase())
      await call('DELETE', `/auth/wallets/${found?.objectId}`, undefined, own || token)
    },

    /** The account, or the one that it was merged into. */
    async deleteAccount() {
      const { objectId: present } = await api.me(own || token)
      await call('DELETE', `/users/${present}`, undefined, own || token)
    },

    /** Names of what opens the account now, or reaches its owner's pushes. */
    async listWays(): Promise<string[]> {
      const open: string[] = []
      for (const [way, isOpen] of Object.entries(ways)) if (await isOpen()) open.push(way)
      return open
    },
  }

  async function addTotp(as: string): Promise<void> {
    const { secret } = await call('POST', '/auth/totp', {}, as)
    await call('POST', '/auth/totp/confirm', { code: currentCode(String(secret), ahead()) }, as)
  }

  /** A code to an unknown address creates a new account, so the thief gets a response in any case. */
  async function isOpenedByCode(): Promise<boolean> {
    const options = { installation: `mailbox-${newName()}` }
    const { handle } = await api.call('POST', '/auth/emailCode', { email }, options)
    const { text } = await readMail(page, email, (mail) => sixDigits.test(mail.text) && !seen.has(mail.text))
    seen.add(text)
    const code = sixDigits.exec(text)?.[1]
    return isIn(await api.call('POST', '/auth/signInWithEmailCode', { handle, code }, options))
  }
}

const sixDigits = /\n\n(\d{6})\n\n/
const seen = new Set<string>()

function accepted(what: string, answer: Answer): Answer {
  if (Number(answer.status) >= 400) throw new Error(`${what} was refused: ${JSON.stringify(answer)}`)
  return answer
}

/** The server has no service for such devices: it names that as the reason while the device counts, and another one after. */
async function isPushedTo(page: Page, installationId: string): Promise<boolean> {
  const where = { installationId }
  const marker = newName('push')
  await asMaster(page, 'POST', '/push', { where, data: { alert: marker } })
  const query = encodeURIComponent(JSON.stringify({ payload: JSON.stringify({ alert: marker }), status: 'succeeded' }))
  let reason = ''
  const findReason = async () => {
    const { results } = await asMaster(page, 'GET', `/classes/_PushStatus?where=${query}`)
    reason = JSON.stringify(results[0]?.errorMessage ?? '')
    return results.length
  }
  await expect.poll(findReason, { intervals: [50, 100, 250] }).toBe(1)
  return reason.includes('no adapter for this type')
}
