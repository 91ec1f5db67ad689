import { CountersignError, type EndpointTypes, refuse, type SettingRecord } from '@countersign/protocol'
import { contract } from '@countersign/protocol/contract'
import { canSignIn } from '../auth/signInMethods.ts'
import type { Config } from '../config/Config.ts'
import { checkSetting, type EditableSetting, isEditable, isFixed, keepSecrets } from '../config/editableSettings.ts'
import { actorOf, type Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import type { Body } from '../endpoint/Endpoint.ts'
import { compileRule, isForMethod } from '../limits/rateLimitRules.ts'
import { sendTestMail } from '../mail/createSmtpMail.ts'
import { chooseLanguage, own, sayIn } from '../mail/texts.ts'
import { applyStored, readStored, type StoredSetting, storeSetting } from '../settings/storedSettings.ts'
import { readEmail } from '../users/email/readEmail.ts'
import { describeSetting, versionOf } from './listSettings.ts'

/** Characters of the JSON of one setting. */
const longest = 50_000
/** Requests per minute that an operator needs to sign in and to change a rule back. */
const fewestRequests = 5

/**
 * Stores a setting for all servers, and applies it here before the response. With `version`, the caller has seen this
 * state: a change in between, which the new value would silently undo, is not overwritten.
 */
async function changeSetting(
  context: Context,
  caller: Caller,
  { name, version }: { name: string; version: string | undefined },
  choose: (present: StoredSetting | undefined) => unknown,
): Promise<SettingRecord> {
  const { config } = context
  if (!isEditable(name)) throw new CountersignError('ObjectNotFound', 'The console has no such setting.')
  if (isFixed(config, name)) throw refuse('settingFixed', { name })
  await storeSetting(context, {
    name,
    by: actorOf(caller),
    async choose(present) {
      if (version !== undefined && version !== versionOf(present)) throw refuse('settingChanged')
      const input = keepSecrets(name, choose(present), present?.input)
      const value = readSetting(name, input)
      await refuseLockout(context, caller, name, { ...config, [name]: value })
      return input
    },
  })
  await applyStored(context)
  return describeSetting(config, await readStored(context), name)
}

const invalid = (problem: string) => refuse('settingInvalid', { problem: problem.replace(/\.+$/, '').slice(0, 1_000) })

function readSetting(name: EditableSetting, input: unknown): unknown {
  if (JSON.stringify(input ?? null).length > longest) throw invalid(`${name} is larger than ${longest} characters`)
  const checked = checkSetting(name, input)
  if (!checked.success) throw invalid(checked.problems.join('; '))
  if (name === 'smtp' && input !== undefined) requirePassword((input as { url: string }).url)
  return checked.value
}

/** The stored password is not sent to another host or for another user. */
function requirePassword(url: string): void {
  const { username, password } = new URL(url)
  if (username !== '' && password === '') throw invalid('smtp.url: enter the password again for this server and user')
}

/** Refuses what would keep this operator from changing it back. The configuration file still could. */
async function refuseLockout(context: Context, caller: Caller, name: EditableSetting, next: Config): Promise<void> {
  const { config } = context
  if ((name === 'signIn' || name === 'emailCode') && caller.session) {
    const after: Context = Object.create(context, { config: { value: next } })
    if (!(await canSignIn(after, caller.session.userId))) throw refuse('settingLocksOut')
  }
  const { origin } = caller
  if (origin !== undefined && config.allowOrigin.includes(origin) && !next.allowOrigin.includes(origin))
    throw refuse('settingLocksOut')
  const isTight = next.rateLimit
    .filter(({ requestCount, requestTimeWindow }) => (requestCount * 60_000) / requestTimeWindow < fewestRequests)
    .map(compileRule)
    .some(({ rule, pattern }) => needed.some(({ method, path }) => isForMethod(rule, method) && pattern.test(path)))
  if (name === 'rateLimit' && isTight) throw refuse('settingLocksOut')
}

/** Requests by which an operator signs in, confirms, and changes this setting back. */
const needed = [
  ...(['logIn', 'createChallenge', 'signInWithWallet', 'createPasskeyChallenge', 'signInWithPasskey'] as const),
  ...(['signInWithSecondFactor', 'reauthenticate', 'getCurrentUser'] as const),
  ...(['getConsole', 'getSettings', 'setSetting', 'resetSetting', 'undoSetting'] as const),
].map((name) => ({ method: contract[name].method, path: contract[name].path.replace(':name', 'rateLimit') }))

type TestMail = EndpointTypes['sendTestMail']['input']

/** Sends a mail with settings that may not be saved yet, so that a mistake in them breaks nothing. */
async function testMail(context: Context, caller: Caller, { smtp, to }: TestMail): Promise<{ to: string }> {
  const stored = (await readStored(context)).get('smtp')?.input
  const input = smtp === undefined ? (context.config.smtp ?? null) : keepSecrets('smtp', smtp, stored)
  if (input === null) throw invalid('no SMTP server is set')
  const settings = smtp === undefined ? context.config.smtp : (readSetting('smtp', input) as Config['smtp'])
  const recipient = to === undefined ? await findOwnAddress(context, caller) : readEmail(to)
  if (!settings || recipient === undefined) throw invalid('an address for the test email is missing')
  const say = await sayIn(chooseLanguage(undefined, caller.acceptLanguage))
  const app = own(context.config.appName)
  await sendTestMail(settings, {
    kind: 'application',
    to: recipient,
    subject: say('testSubject', { app }),
    text: say('testText', { app }),
    link: null,
  }).catch((error: Error) => {
    throw refuse('testMailFailed', { problem: error.message.replace(/\.+$/, '') })
  })
  return { to: recipient }
}

async function findOwnAddress({ db }: Context, { session }: Caller): Promise<string | undefined> {
  if (!session) return undefined
  const [user] = await db.query<{ email: string | null }>(
    sql`select "email" from "_User" where "objectId" = ${session.userId}`,
  )
  return user?.email ?? undefined
}

/** The mail server that was named, for the audit log: this server connects to it. */
function nameHost(smtp: unknown): { host?: string } {
  const url = (smtp as { url?: unknown } | null | undefined)?.url
  return typeof url === 'string' && URL.canParse(url) ? { host: new URL(url).host.slice(0, 200) } : {}
}

export const setSettingEndpoint = defineEndpoint('setSetting', {
  auditDetails: ({ value }: Body) => nameHost(value),
  handle: ({ context, caller, params, input }) =>
    changeSetting(context, caller, { name: params.name, version: input.version }, () => {
      if (input.value === undefined) throw invalid('value is missing')
      return input.value
    }),
})

export const resetSettingEndpoint = defineEndpoint('resetSetting', {
  handle: ({ context, caller, params, input }) =>
    changeSetting(context, caller, { name: params.name, version: input.version }, () => undefined),
})

export const undoSettingEndpoint = defineEndpoint('undoSetting', {
  handle: ({ context, caller, params, input }) =>
    changeSetting(context, caller, { name: params.name, version: input.version }, (present) => {
      if (!present?.previous) throw invalid(`${params.name} has no earlier value`)
      return present.previous.input
    }),
})

export const sendTestMailEndpoint = defineEndpoint('sendTestMail', {
  auditDetails: ({ smtp }: Body) => nameHost(smtp),
  handle: ({ context, caller, input }) => testMail(context, caller, input),
})
