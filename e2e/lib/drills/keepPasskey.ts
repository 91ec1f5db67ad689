import type { Page } from '@playwright/test'

type Step = { ask: string; answer: string; purpose?: string; token?: string }

/** Calls the server from a page whose browser has the passkey; returns the response. */
const run = (page: Page, step: Step): Promise<Record<string, unknown>> =>
  page.evaluate(async ({ ask, answer, purpose, token }) => {
    const { appId } = await (await fetch('/config.json')).json()
    const headers = {
      'Content-Type': 'application/json',
      'X-Parse-Application-Id': appId,
      'X-Parse-Installation-Id': 'browser-of-the-thief',
      ...(token && { 'X-Parse-Session-Token': token }),
    }
    const post = async (path: string, body: object) => {
      const response = await fetch(`/server${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      return { status: response.status, ...(await response.json()) }
    }
    const { options } = await post(ask, purpose ? { purpose } : {})
    const made = purpose
      ? await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })
      : await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
    return post(answer, { credential: (made as PublicKeyCredential).toJSON() })
  }, step)

export const registerPasskey = (page: Page, token: string) =>
  run(page, { ask: '/auth/passkeys/registration', answer: '/auth/passkeys', token })

export const signInByPasskey = (page: Page) =>
  run(page, { ask: '/auth/passkeys/challenge', answer: '/auth/signInWithPasskey', purpose: 'signIn' })
