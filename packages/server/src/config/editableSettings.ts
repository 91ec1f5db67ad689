import { z } from 'zod'
import { safeParse } from '../encoding/safeParse.ts'
import { type Config, configSchema } from './Config.ts'

const { smtp, backup, signIn, signUp, emailCode, allowOrigin, rateLimit, appName, brand } = configSchema.shape

const mostRules = 100
const mostOrigins = 100
const mostText = 500

/** Without options: nodemailer reads a query as settings, such as a proxy or a file to log to. */
const mailServer = z
  .string()
  .max(mostText)
  .refine((text) => {
    if (!URL.canParse(text)) return false
    const { hostname, pathname, search, hash } = new URL(text)
    return hostname !== '' && (pathname === '' || pathname === '/') && search === '' && hash === ''
  }, 'must look like smtp://user:password@host:587, without a path or options')

const line = z
  .string()
  .max(mostText)
  .regex(/^[^\p{Cc}]*$/u, 'must be one line')

const isOrigin = (text: string) => !text.includes('*') && new URL(text).origin === text

/** Each picture on this server: a name of a file would let the console read files of the machine. */
const ownPath = z.string().regex(/^\/(?!\/)/, 'must be a path on this server, such as /server/files/…')

/**
 * Settings that operators change in the console, with the schema of the configuration file and what else holds there:
 * a console must not reach files or programs of the machine.
 */
export const editableSettings = {
  smtp: smtp.refine((given) => given === undefined || line.safeParse(given.from).success, {
    path: ['from'],
    message: 'must be one line',
  }),
  backup: backup.unwrap().pick({ every: true, keep: true, passphrase: true }).optional(),
  signIn,
  signUp,
  emailCode,
  allowOrigin: allowOrigin
    .unwrap()
    .pipe(
      z
        .array(
          z
            .string()
            .max(mostText)
            .refine(isOrigin, 'must be scheme and host, such as https://app.example, without * and without a path'),
        )
        .max(mostOrigins),
    )
    .default([]),
  rateLimit: z
    .array(rateLimit.unwrap().element)
    .max(mostRules)
    .default(() => rateLimit.parse(undefined)),
  appName: appName.refine((name) => line.safeParse(name).success, 'must be one line'),
  brand,
} satisfies { [Name in keyof Config]?: z.ZodType }

export type EditableSetting = keyof typeof editableSettings

export const editableNames = Object.keys(editableSettings) as EditableSetting[]

export function isEditable(name: string): name is EditableSetting {
  return Object.hasOwn(editableSettings, name)
}

/** Returns true if the file, the environment or the command line sets it: they win over the console. */
export function isFixed({ sources }: Config, name: string): boolean {
  return Object.hasOwn(sources, name) && sources[name] !== 'database'
}

type Checked = { success: true; value: unknown } | { success: false; problems: string[] }

/** Checks an input of the console; `undefined` stands for the default. */
export function checkSetting(name: EditableSetting, input: unknown): Checked {
  const parsed = safeParse(editableSettings[name] as z.ZodType, input)
  const further = parsed.success ? listProblems(name, input) : []
  if (parsed.success && further.length === 0) return { success: true, value: parsed.data }
  const found = parsed.error?.issues.map(({ path, message }) => `${[name, ...path].join('.')}: ${message}`) ?? []
  return { success: false, problems: [...found, ...further].slice(0, 10) }
}

/** Rules for parts that the schema transforms or shares with the file. */
function listProblems(name: EditableSetting, input: unknown): string[] {
  if (input === null || typeof input !== 'object') return []
  const given = input as Record<string, unknown>
  const rules: [field: string, rule: z.ZodType][] =
    name === 'smtp'
      ? [['url', mailServer]]
      : name === 'brand'
        ? (['logo', 'logoDark', 'icon'] as const).map((field) => [field, ownPath])
        : []
  return rules.flatMap(([field, rule]) => {
    const { success, error } = given[field] === undefined ? { success: true } : safeParse(rule, given[field])
    return success ? [] : [`${name}.${field}: ${error?.issues[0]?.message}`]
  })
}

type Fields = Record<string, unknown>

/** An input without its secrets, as the console shows it. */
export function hideSecrets(name: EditableSetting, input: unknown): { input: unknown; hasSecret: boolean } {
  if (name === 'backup' && input !== undefined) {
    const { passphrase, ...rest } = input as Fields
    return { input: rest, hasSecret: passphrase !== undefined }
  }
  if (name !== 'smtp' || input === undefined) return { input, hasSecret: false }
  const { url, ...rest } = input as { url: string }
  const { shown, password } = splitUrl(url)
  return { input: { ...rest, url: shown }, hasSecret: password !== '' }
}

/**
 * Puts back the secrets that the console never got. The password of a mail server stays with its server and user: with
 * another host it would be sent there.
 */
export function keepSecrets(name: EditableSetting, input: unknown, present: unknown): unknown {
  if (input === null || typeof input !== 'object' || present === undefined) return input
  if (name === 'backup') {
    const { passphrase, ...rest } = input as Fields
    if (passphrase === null) return rest
    return { passphrase: (present as Fields).passphrase, ...(input as Fields) }
  }
  const { url } = input as Fields
  const kept = (present as Fields).url
  if (name !== 'smtp' || typeof url !== 'string' || typeof kept !== 'string' || !URL.canParse(url)) return input
  const [sent, stored] = [splitUrl(url), splitUrl(kept)]
  return sent.password === '' && new URL(url).username !== '' && sent.shown === stored.shown
    ? { ...(input as Fields), url: kept }
    : input
}

function splitUrl(text: string): { shown: string; password: string } {
  if (!URL.canParse(text)) return { shown: '', password: '' }
  const url = new URL(text)
  const { password } = url
  url.password = ''
  return { shown: url.href, password }
}
