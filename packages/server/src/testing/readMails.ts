import type { TestServer } from './createTestServer.ts'

export type Mail = { to: string; subject: string; text: string; link: string | null }

/** Mails to an address, the newest first; with `page` only those whose link leads there. */
export async function listMails(server: TestServer, address: string, page = ''): Promise<Mail[]> {
  await server.context.background.settle()
  const { body } = await server.call('GET', '/outbox', undefined, { master: true })
  return (body.results as Mail[]).filter(({ to, link }) => to === address && (link ?? '').includes(page))
}

/** The token in the link of the newest mail that leads to a page; none where there is no such mail. */
export async function readMailToken(server: TestServer, address: string, page: string): Promise<string> {
  const [mail] = await listMails(server, address, page)
  return new URL(mail?.link ?? 'http://none').searchParams.get('token') ?? ''
}

/** The code in the newest mail that has one. */
export async function readMailCode(server: TestServer, address: string): Promise<string> {
  const codes = (await listMails(server, address)).map(({ text }) => /\n\n(\d{6})\n\n/.exec(text)?.[1])
  return codes.find((code) => code !== undefined) ?? ''
}
