import { BookOpen, Database, Settings2, SquareFunction, Table2, UserRound, UsersRound } from 'lucide-react'
import { useEffect, useState } from 'react'
import { getServer } from '../../config/callEndpoint.ts'
import { configStore } from '../../config/config.ts'
import { ask } from '../../features/console/ask.ts'
import { consoleMark } from '../consoleMark.ts'
import { withConsoleWords } from '../withConsoleWords.ts'
import { findDocs } from './findDocs.ts'
import type { Command } from './rankCommands.ts'

/** Pause in typing (ms) before a request. */
const pause = 200
const shortest = 2

/**
 * Users, roles, classes, objects, functions, settings and the documentation by a few letters. Asks only in a browser in which the console was
 * opened, one bounded request for each kind, and drops results of an earlier text.
 */
export function useConsoleSearch(text: string, go: (to: string) => () => void): Command[] {
  const [found, setFound] = useState<{ text: string; places: readonly Place[] }>()
  const isWanted = text.length >= shortest && text.length <= 200 && consoleMark.get()
  useEffect(() => {
    if (!isWanted) return
    const abort = new AbortController()
    const timer = setTimeout(() => {
      void find(text, abort.signal).then((places) => !abort.signal.aborted && setFound({ text, places }))
    }, pause)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [text, isWanted])
  if (!isWanted || found?.text !== text) return []
  return found.places.map(({ to, label, words, icon }) => ({
    id: to,
    group: 'found',
    label,
    words,
    icon,
    run: to.startsWith('/docs/') ? () => window.location.assign(to) : go(to),
    to,
  }))
}

type Place = Pick<Command, 'label' | 'icon'> & { to: string; words: string }

/** A kind that the role of the operator may not read is left out. */
async function find(text: string, signal: AbortSignal): Promise<Place[]> {
  const matches = (name: string) => name.toLowerCase().includes(text.toLowerCase())
  const state = configStore.get()
  const hasDocs = state.status === 'ready' && state.config.docs
  const [users, roles, classes, functions, settings, forms, docs] = await Promise.allSettled([
    ask('listConsoleUsers', { search: text, limit: '5' }, signal),
    ask('listConsoleRoles', { search: text, limit: '5' }, signal),
    ask('listSchemas', {}, signal),
    ask('listConsoleFunctions', {}, signal),
    ask('getSettings', {}, signal),
    listTitles(),
    hasDocs ? findDocs(text).then((results) => ({ results })) : Promise.resolve({ results: [] }),
  ])
  const titles = forms.status === 'fulfilled' ? forms.value : new Map<string, string>()
  const objects = await findObject(text, listOf(classes), signal).catch(() => [])
  return [
    ...listOf(users).map(({ objectId, username, email, wallet }) => ({
      to: `/admin/users/${objectId}`,
      label: email ? `${username} · ${email}` : username,
      words: [objectId, wallet].filter(Boolean).join(' '),
      icon: UserRound,
    })),
    ...listOf(roles).map(({ objectId, name }) => ({
      to: `/admin/roles/${objectId}`,
      label: name,
      words: objectId,
      icon: UsersRound,
    })),
    ...listOf(classes)
      .filter(({ className }) => matches(className))
      .slice(0, 5)
      .map(({ className }) => ({ to: `/admin/data/${className}`, label: className, words: '', icon: Database })),
    ...listOf(functions)
      .filter(({ name }) => matches(name))
      .slice(0, 5)
      .map(({ name }) => ({
        to: `/admin/functions#${encodeURIComponent(name)}`,
        label: name,
        words: '',
        icon: SquareFunction,
      })),
    ...objects,
    ...listOf(settings)
      .filter(({ name }) => matches(name) || matches(titles.get(name) ?? ''))
      .slice(0, 5)
      .map(({ name }) => ({
        to: `/admin/settings?search=${encodeURIComponent(name)}`,
        label: titles.has(name) ? `${titles.get(name)} · ${name}` : name,
        words: '',
        icon: Settings2,
      })),
    ...listOf(docs).map(({ to, title, page }) => ({
      to,
      label: page === title ? title : `${title} · ${page}`,
      words: '',
      icon: BookOpen,
    })),
  ]
}

/** Titles of the settings that have a form, by name. */
async function listTitles(): Promise<Map<string, string>> {
  const { listSettingForms } = await withConsoleWords(import('../../features/console/settings/settingForms.ts'))
  return new Map(listSettingForms().map(({ name, title }) => [name, title]))
}

const mostClasses = 50

/** Object with this id, in any class of the application, by one request. */
async function findObject(
  text: string,
  classes: readonly { className: string }[],
  signal: AbortSignal,
): Promise<Place[]> {
  const names = classes.map(({ className }) => className).filter((name) => !name.startsWith('_'))
  if (!/^[\w.~@:|+=-]{8,}$/.test(text) || names.length === 0) return []
  const mount = new URL(getServer().serverUrl, window.location.href).pathname.replace(/\/$/, '')
  const requests = names.slice(0, mostClasses).map((name) => ({
    method: 'GET' as const,
    path: `${mount}/classes/${encodeURIComponent(name)}/${encodeURIComponent(text)}`,
  }))
  const answers = await ask('batch', { requests }, signal)
  return answers.flatMap((answer, place) => {
    const className = names[place] ?? ''
    if ('error' in answer) return []
    const to = `/admin/data/${encodeURIComponent(className)}?row=${encodeURIComponent(text)}`
    return [{ to, label: `${className}: ${text}`, words: text, icon: Table2 }]
  })
}

function listOf<Item>(settled: PromiseSettledResult<{ results: Item[] }>): Item[] {
  return settled.status === 'fulfilled' ? settled.value.results : []
}
