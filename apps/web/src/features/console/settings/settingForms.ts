import { t } from '../../../i18n/translate.ts'

/** Fields of a form by name, all as text: a switch is `true` or `false`, a list has one entry per line. */
export type Values = Record<string, string>

export type FormField = {
  name: string
  label: string
  kind?: 'text' | 'number' | 'password' | 'lines' | 'switch' | 'select'
  hint?: string
  options?: readonly (readonly [value: string, words: string])[]
}

/** Editor of one setting: between its input in the configuration and the fields of a form. */
export type SettingForm = {
  name: string
  title: string
  fields: FormField[]
  read(input: unknown): Values
  /** `present` is the input that the form was opened with: parts without a field stay. */
  write(values: Values, present: unknown): unknown
}

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})
const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : isFields(value) ? JSON.stringify(value) : String(value)
const linesOf = (text = ''): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
const filled = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '' && value !== undefined))
const numberOf = (text = ''): number | undefined => (text.trim() === '' ? undefined : Number(text))

/** A function, so that the words are those of the language at that moment. */
export function listSettingForms(): SettingForm[] {
  return [
    smtpForm(),
    backupForm(),
    signInForm(),
    emailCodeForm(),
    signUpForm(),
    originForm(),
    rateLimitForm(),
    nameForm(),
    brandForm(),
  ]
}

function smtpForm(): SettingForm {
  return {
    name: 'smtp',
    title: t('Email server'),
    fields: [
      { name: 'host', label: t('Host') },
      { name: 'port', label: t('Port'), kind: 'number' },
      {
        name: 'scheme',
        label: t('Encryption'),
        kind: 'select',
        options: [
          ['smtp:', 'STARTTLS'],
          ['smtps:', 'TLS'],
        ],
      },
      { name: 'user', label: t('Username') },
      { name: 'password', label: t('Password'), kind: 'password' },
      { name: 'from', label: t('Sender') },
    ],
    read(input) {
      const { url, from } = fieldsOf(input)
      const parsed = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined
      return {
        host: parsed?.hostname ?? '',
        port: parsed?.port ?? '587',
        scheme: parsed?.protocol ?? 'smtp:',
        user: decode(parsed?.username ?? ''),
        password: '',
        from: textOf(from),
      }
    },
    write({ host = '', port = '', scheme = 'smtp:', user = '', password = '', from = '' }) {
      const account = user && `${encodeURIComponent(user)}${password && `:${encodeURIComponent(password)}`}@`
      return { url: `${scheme}//${account}${host.trim()}${port && `:${port}`}`, from }
    },
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function backupForm(): SettingForm {
  return {
    name: 'backup',
    title: t('Backups'),
    fields: [
      { name: 'every', label: t('Hours between backups'), kind: 'number' },
      { name: 'keep', label: t('Number of backups kept'), kind: 'number' },
      { name: 'passphrase', label: t('Passphrase'), kind: 'password' },
    ],
    read: (input) => ({
      every: textOf(fieldsOf(input).every),
      keep: textOf(fieldsOf(input).keep ?? 7),
      passphrase: '',
    }),
    write: ({ every, keep, passphrase }) => filled({ every: numberOf(every), keep: numberOf(keep), passphrase }),
  }
}

function signInForm(): SettingForm {
  const words: [method: string, label: string][] = [
    ['wallet', t('Wallet')],
    ['passkey', t('Passkey')],
    ['provider', t('Account of another service')],
    ['emailCode', t('Code by email')],
    ['password', t('Password')],
  ]
  return {
    name: 'signIn',
    title: t('Sign-in methods'),
    fields: words.map(([name, label]) => ({ name, label, kind: 'switch' })),
    read(input) {
      const { methods } = fieldsOf(input)
      return Object.fromEntries(words.map(([name]) => [name, String(Array.isArray(methods) && methods.includes(name))]))
    },
    // In the order that was set; methods turned on now come last.
    write(values, present) {
      const { methods } = fieldsOf(present)
      const before = Array.isArray(methods) ? methods.map(String) : []
      const all = [...before, ...words.map(([name]) => name).filter((name) => !before.includes(name))]
      return { methods: all.filter((name) => values[name] === 'true') }
    },
  }
}

function emailCodeForm(): SettingForm {
  return {
    name: 'emailCode',
    title: t('Code by email'),
    fields: [
      { name: 'enabled', label: t('Send sign-in codes'), kind: 'switch' },
      { name: 'signUp', label: t('Create accounts for new addresses'), kind: 'switch' },
      { name: 'validity', label: t('Seconds that a code is valid'), kind: 'number' },
    ],
    read(input) {
      const { enabled, signUp, validity } = fieldsOf(input)
      return { enabled: String(enabled === true), signUp: String(signUp !== false), validity: textOf(validity ?? 600) }
    },
    write: ({ enabled, signUp, validity }) => ({
      enabled: enabled === 'true',
      signUp: signUp === 'true',
      validity: numberOf(validity),
    }),
  }
}

function signUpForm(): SettingForm {
  return {
    name: 'signUp',
    title: t('New accounts'),
    fields: [
      {
        name: 'mode',
        label: t('Who can create an account'),
        kind: 'select',
        options: [
          ['open', t('Everyone')],
          ['invitation', t('People with an invitation')],
          ['closed', t('Nobody')],
        ],
      },
      {
        name: 'emailDomains',
        label: t('Allowed email domains'),
        kind: 'lines',
        hint: t('One per line. Leave empty to allow all.'),
      },
    ],
    read(input) {
      const { mode, emailDomains } = fieldsOf(input)
      return { mode: textOf(mode ?? 'open'), emailDomains: Array.isArray(emailDomains) ? emailDomains.join('\n') : '' }
    },
    write: ({ mode, emailDomains }, present) => ({
      ...fieldsOf(present),
      mode,
      emailDomains: linesOf(emailDomains),
    }),
  }
}

function originForm(): SettingForm {
  const hint = t('One per line, such as {example}.', { example: 'https://app.example' })
  return {
    name: 'allowOrigin',
    title: t('Allowed origins'),
    fields: [{ name: 'origins', label: t('Pages that may use cookie sessions'), kind: 'lines', hint }],
    read: (input) => ({ origins: Array.isArray(input) ? input.join('\n') : '' }),
    write: ({ origins }) => linesOf(origins),
  }
}

const minute = 60_000

function rateLimitForm(): SettingForm {
  const hint = t('One rule per line: path, requests, seconds. Example: {example}', { example: 'POST /users 60 60' })
  return {
    name: 'rateLimit',
    title: t('Rate limits'),
    fields: [{ name: 'rules', label: t('Requests per address'), kind: 'lines', hint }],
    read: (input) => ({ rules: (Array.isArray(input) ? input : []).map(fieldsOf).map(writeRule).join('\n') }),
    write: ({ rules }, present) => {
      const before = (Array.isArray(present) ? present : []).map(fieldsOf)
      return linesOf(rules).map((line) => {
        const rule = readRule(line)
        // The message and other parts have no field.
        return { ...before.find((each) => placeOf(each) === placeOf(rule)), ...rule }
      })
    },
  }
}

const placeOf = ({ requestMethods, requestPath }: Fields) => `${textOf(requestMethods)} ${textOf(requestPath)}`

function writeRule({ requestMethods, requestPath, requestCount, requestTimeWindow }: Fields): string {
  const methods = Array.isArray(requestMethods) ? `${requestMethods.join(',')} ` : ''
  return `${methods}${textOf(requestPath)} ${textOf(requestCount)} ${Number(requestTimeWindow ?? minute) / 1000}`
}

function readRule(line: string): Fields {
  const parts = line.split(/\s+/)
  const methods = parts[0]?.startsWith('/') ? undefined : parts.shift()
  const [requestPath = '', count = '', seconds = ''] = parts
  return {
    ...(methods !== undefined && { requestMethods: methods.split(',') }),
    requestPath,
    requestCount: Number(count),
    requestTimeWindow: Number(seconds) * 1000,
  }
}

function nameForm(): SettingForm {
  return {
    name: 'appName',
    title: t('App name'),
    fields: [{ name: 'appName', label: t('Name') }],
    read: (input) => ({ appName: textOf(input) }),
    write: ({ appName }) => appName,
  }
}

const brandTexts = ['tagline', 'intro', 'signInTitle', 'footer', 'termsUrl', 'privacyUrl', 'supportUrl'] as const
const brandPictures = ['logo', 'logoDark', 'icon'] as const

function brandForm(): SettingForm {
  const picture = t('A path on this server, such as {example}.', { example: '/server/files/…' })
  return {
    name: 'brand',
    title: t('Brand'),
    fields: [
      { name: 'tagline', label: t('Heading of the home page') },
      { name: 'intro', label: t('Sentence below the heading') },
      { name: 'signInTitle', label: t('Heading of the sign-in page') },
      { name: 'footer', label: t('Footer') },
      { name: 'termsUrl', label: t('Link to the terms') },
      { name: 'privacyUrl', label: t('Link to the privacy policy') },
      { name: 'supportUrl', label: t('Link to support') },
      { name: 'light', label: t('Accent color, light theme'), hint: '#0f6b64' },
      { name: 'dark', label: t('Accent color, dark theme'), hint: '#57d3c3' },
      { name: 'logo', label: t('Logo'), hint: picture },
      { name: 'logoDark', label: t('Logo for the dark theme'), hint: picture },
      { name: 'icon', label: t('Icon of the browser tab'), hint: picture },
    ],
    read(input) {
      const { texts, colors, ...pictures } = fieldsOf(input)
      const accentOf = (theme: string) => textOf(fieldsOf(fieldsOf(colors)[theme]).accent)
      return {
        ...Object.fromEntries(brandTexts.map((name) => [name, textOf(fieldsOf(texts)[name])])),
        ...Object.fromEntries(brandPictures.map((name) => [name, textOf(pictures[name])])),
        light: accentOf('light'),
        dark: accentOf('dark'),
      }
    },
    write(values, present) {
      const { colors } = fieldsOf(present)
      const themes = (['light', 'dark'] as const).map((theme) => {
        const accent = values[theme]?.trim()
        return [theme, filled({ ...fieldsOf(fieldsOf(colors)[theme]), accent })] as const
      })
      const set = themes.filter(([, theme]) => Object.keys(theme).length > 0)
      return filled({
        ...Object.fromEntries(brandPictures.map((name) => [name, values[name]?.trim()])),
        texts: filled(Object.fromEntries(brandTexts.map((name) => [name, readText(values[name])]))),
        colors: set.length > 0 ? Object.fromEntries(set) : undefined,
      })
    },
  }
}

/** One text, or an object with one per language. */
function readText(text = ''): unknown {
  const trimmed = text.trim()
  if (!trimmed.startsWith('{')) return trimmed
  try {
    return JSON.parse(trimmed)
  } catch {
    return trimmed
  }
}
