// @vitest-environment happy-dom
import { act, cleanup, configure, render, screen } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createClient } from '../../core/setup/createClient.ts'
import { CountersignProvider, type CountersignProviderProps } from '../CountersignProvider.tsx'
import { SignInSheet, type SignInSheetProps } from '../signInFlow/SignInSheet.tsx'
import { languages } from './languages.ts'

// A second, which is the default, is a moment on a busy machine.
configure({ asyncUtilTimeout: 60_000 })

beforeEach(() => window.localStorage.clear())

afterEach(() => {
  cleanup()
  document.documentElement.removeAttribute('lang')
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const never = () => undefined

function open(sheet: Partial<SignInSheetProps> = {}, around: Partial<CountersignProviderProps> = {}) {
  const client = createClient({ connectors: [] })
  const page = (
    <CountersignProvider client={client} {...around}>
      <SignInSheet passkey={false} {...sheet} open onClose={never} />
    </CountersignProvider>
  )
  return { page, ...render(page) }
}

const dialog = () => screen.queryByRole('dialog')

test('the sheet shows only the given language', async () => {
  const seen = new Set<string>()
  const watcher = new MutationObserver(() => seen.add(document.querySelector('h2')?.textContent ?? ''))
  watcher.observe(document.body, { childList: true, subtree: true, characterData: true })
  open({ language: 'de' })
  expect(dialog()).toBeNull()
  expect((await screen.findByRole('heading')).textContent).toBe('Anmelden')
  expect([dialog()?.lang, dialog()?.dir]).toEqual(['de', 'ltr'])
  watcher.disconnect()
  expect(seen).not.toContain('Sign in')
})

test('Arabic is written from right to left', async () => {
  open({}, { language: 'ar' })
  expect((await screen.findByRole('heading')).textContent).toBe('تسجيل الدخول')
  expect(dialog()?.dir).toBe('rtl')
})

describe('without a choice', () => {
  test('the page decides, also when it changes its mind', async () => {
    document.documentElement.lang = 'fr-CA'
    open()
    expect((await screen.findByRole('heading')).textContent).toBe('Se connecter')
    await act(async () => {
      document.documentElement.lang = 'ja'
    })
    expect((await screen.findByText('サインイン')).tagName).toBe('H2')
  })

  test('a page in a language that the sheet does not speak gets English', () => {
    document.documentElement.lang = 'nl'
    vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['de', 'en'])
    open()
    expect(screen.getByRole('heading').textContent).toBe('Sign in')
  })

  test('the browser’s language applies if the page has none', async () => {
    vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['nl', 'pt-BR', 'en'])
    open()
    expect((await screen.findByRole('heading')).textContent).toBe('Entrar')
  })
})

test('single words can be given, around the sheet and on it; the nearer one counts', async () => {
  open(
    { words: { passwordHint: 'Wie immer' } },
    { language: 'de', words: { signIn: 'Rein da', passwordHint: 'Nie gesehen' } },
  )
  expect((await screen.findByRole('heading')).textContent).toBe('Rein da')
  expect(screen.getByText('Wie immer')).toBeTruthy()
  expect(screen.getByText('Passwort')).toBeTruthy()
})

test('a language that does not arrive leaves the sheet in English after a bounded wait', async () => {
  vi.useFakeTimers()
  vi.spyOn(languages, 'es').mockReturnValue(new Promise(never))
  open({ language: 'es' })
  await act(() => vi.advanceTimersByTimeAsync(1400))
  expect(dialog()).toBeNull()
  await act(() => vi.advanceTimersByTimeAsync(200))
  expect(screen.getByRole('heading').textContent).toBe('Sign in')
  expect([dialog()?.lang, dialog()?.dir]).toEqual(['en', 'ltr'])
})

test('a server draws no guess of the language', () => {
  const client = createClient({ connectors: [] })
  const draw = (sheet: Partial<SignInSheetProps>) =>
    renderToString(
      <CountersignProvider client={client}>
        <SignInSheet {...sheet} open onClose={never} />
      </CountersignProvider>,
    )
  expect(draw({})).toBe('')
  expect(draw({ language: 'en' })).toContain('Sign in')
})
