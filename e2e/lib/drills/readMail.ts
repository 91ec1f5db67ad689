import { expect, type Page } from '@playwright/test'
import { asMaster } from '../steps/operators.ts'

type Mail = { to: string; text: string; link: string | null }

/** The newest mail to an address that `isMeant` chooses; waits until the server has written it. */
export async function readMail(page: Page, address: string, isMeant: (mail: Mail) => boolean): Promise<Mail> {
  let found: Mail | undefined
  const find = async () => {
    const { results } = await asMaster(page, 'GET', '/outbox')
    found = (results as Mail[]).find((mail) => mail.to === address && isMeant(mail))
    return found !== undefined
  }
  await expect.poll(find, { message: `mail to ${address}`, intervals: [50, 100, 250] }).toBe(true)
  return found as unknown as Mail
}

/** The secret of the newest link to one of our pages. */
export async function readLink(page: Page, address: string, path: string): Promise<string> {
  const { link } = await readMail(page, address, (mail) => mail.link?.includes(path) === true)
  return new URL(link ?? '').searchParams.get('token') ?? ''
}
