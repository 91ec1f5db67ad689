// Types of the option factories for TanStack Query. Compiling is the test.

import { type QueryClient, useInfiniteQuery, useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { Client, CountersignError } from '../src/core.ts'
import {
  createDocumentOptions,
  documentCountOptions,
  documentOptions,
  documentPagesOptions,
  documentsOptions,
  functionOptions,
  saveDocumentOptions,
  syncQueryClient,
} from '../src/query.ts'

declare const client: Client
declare const queryClient: QueryClient

export function Check() {
  const games = useSuspenseQuery(documentsOptions(client, 'Game', { order: ['-score'], limit: 20 }))
  const title: string = games.data[0]?.title ?? ''
  // @ts-expect-error a class that nobody registered
  documentsOptions(client, 'Gmae')

  const plain = useQuery(documentsOptions(client, 'Game', { keys: ['title'] }))
  const first: string | undefined = plain.data?.[0]?.title
  // @ts-expect-error a field that was not asked for
  void plain.data?.[0]?.score
  const error: CountersignError | null = plain.error

  const amount = useSuspenseQuery({ ...documentsOptions(client, 'Game'), select: (all) => all.length })
  const length: number = amount.data

  const one = useQuery({ ...documentOptions(client, 'Game', 'id'), staleTime: 5000, enabled: false })
  const score: number | undefined = one.data?.score
  const count: number | undefined = useQuery(documentCountOptions(client, 'Game')).data

  const pages = useInfiniteQuery(documentPagesOptions(client, 'Game', { limit: 20 }))
  const titles: string[] = pages.data?.pages.flatMap((page) => page.items.map((game) => game.title)) ?? []

  const stars = useQuery(functionOptions(client, 'averageStars', { movie: 'The Matrix' }))
  const average: number | undefined = stars.data?.average
  // @ts-expect-error its input is needed
  functionOptions(client, 'averageStars')

  const create = useMutation(createDocumentOptions(client, 'Game'))
  create.mutate({ title: 'Chess', likes: undefined })
  // @ts-expect-error a title is a text
  create.mutate({ title: 5 })
  const save = useMutation(saveDocumentOptions(client, 'Game'))
  const game = games.data[0]
  if (game) save.mutate({ document: game, changes: { score: 5 } })

  const cached = queryClient.getQueryData(documentsOptions(client, 'Game').queryKey)
  const known: string | undefined = cached?.[0]?.title
  const stop: () => void = syncQueryClient(client, queryClient)
  return [title, first, error, length, score, count, titles, average, known, stop]
}
