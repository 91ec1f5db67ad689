import { expect, test } from 'vitest'
import { listSettingForms } from './settingForms.ts'

const inputs: Record<string, unknown> = {
  smtp: { url: 'smtps://me%40acme.example@mail.acme.example:465', from: 'Acme <post@acme.example>' },
  backup: { every: 24, keep: 5 },
  signIn: { methods: ['password', 'wallet'] },
  emailCode: { enabled: true, signUp: false, validity: 300 },
  signUp: { mode: 'invitation', emailDomains: ['acme.example'], invitationDays: 3 },
  allowOrigin: ['https://app.example', 'https://other.example'],
  rateLimit: [
    { requestPath: '/login', requestTimeWindow: 60_000, requestCount: 60, errorResponseMessage: 'Slow down.' },
    { requestPath: '/users', requestMethods: ['POST', 'PUT'], requestTimeWindow: 1_500, requestCount: 5 },
  ],
  appName: 'Acme',
  brand: {
    logo: '/server/files/logo.svg',
    texts: { tagline: { en: 'Welcome', de: 'Willkommen' }, footer: 'Acme' },
    colors: { light: { accent: '#123456', ink: '#000000' }, dark: { accent: '#abcdef' } },
  },
}

test.each(listSettingForms().map((form) => [form.name, form] as const))(
  'the form of %s keeps an input',
  (name, form) => {
    const input = inputs[name]
    expect(input).toBeDefined()
    expect(form.write(form.read(input), input)).toEqual(input)
  },
)

test.each(listSettingForms().map((form) => [form.name, form] as const))(
  'the form of %s reads nothing',
  (_name, form) => {
    const values = form.read(undefined)
    expect(Object.keys(values).sort()).toEqual(form.fields.map((field) => field.name).sort())
  },
)

test('a password with special characters reaches the address, and an empty one leaves it out', () => {
  const form = listSettingForms().find(({ name }) => name === 'smtp')
  const values = { host: 'mail.example', port: '587', scheme: 'smtp:', user: 'me', password: 'a@b:c/d', from: 'a@b.c' }
  expect(form?.write(values, undefined)).toEqual({ url: 'smtp://me:a%40b%3Ac%2Fd@mail.example:587', from: 'a@b.c' })
  expect(form?.write({ ...values, password: '' }, undefined)).toMatchObject({ url: 'smtp://me@mail.example:587' })
})

test('a method that is turned on comes after those that are on', () => {
  const form = listSettingForms().find(({ name }) => name === 'signIn')
  const present = { methods: ['password', 'wallet'] }
  const values = { ...form?.read(present), passkey: 'true' }
  expect(form?.write(values, present)).toEqual({ methods: ['password', 'wallet', 'passkey'] })
})
