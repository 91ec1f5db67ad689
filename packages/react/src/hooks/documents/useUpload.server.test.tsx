import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { CountersignProvider } from '../../components/CountersignProvider.tsx'
import { saveUser } from '../../core/account/saveUser.ts'
import { fileName } from '../../core/documents/fileName.ts'
import { uploadFile } from '../../core/documents/uploadFile.ts'
import { signUp } from '../../core/session/signUp.ts'
import { connectTo } from '../../testing/connectTo.ts'
import { serveTests } from '../../testing/serveTests.ts'
import { setUpPage } from '../../testing/setUpPage.ts'
import { useUpload } from './useUpload.ts'

setUpPage()
const server = serveTests()

let counter = 0

async function connect({ isGuest = false } = {}) {
  const { client } = await connectTo(server, { throwOnError: true })
  if (!isGuest) await signUp(client, { username: `uploader${++counter}`, password: 'a long password' })
  return client
}

test('R21: a file goes up with what belongs to it, and becomes the value of a field', async () => {
  const client = await connect()
  const file = new File(['a few words'], 'Größe (1).txt', { type: 'text/plain' })
  const shares: number[] = []
  const stored = await uploadFile(client, {
    file,
    metadata: { from: 'a test' },
    tags: { kind: 'words' },
    onProgress: (fraction) => shares.push(fraction),
  })
  expect(stored).toEqual({
    __type: 'File',
    name: expect.stringMatching(/^[0-9a-f]{32}_Gro_e _1_\.txt$/),
    url: expect.any(String),
  })
  expect(shares.at(-1)).toBe(1)
  const name = encodeURIComponent(stored?.name ?? '')
  expect(await (await fetch(`${server.serverUrl}/files/${server.appId}/${name}`)).text()).toBe('a few words')
  const extras = await fetch(`${server.serverUrl}/files/${server.appId}/metadata/${name}`)
  expect(await extras.json()).toEqual({ metadata: { from: 'a test' }, tags: { kind: 'words' } })
  const user = await saveUser(client, { picture: stored ?? null })
  expect(user?.picture).toEqual(stored)
})

test('the hook reports progress, and what the server refused', async () => {
  const client = await connect()
  const { result } = renderHook(() => useUpload(), {
    wrapper: ({ children }: { children: ReactNode }) => (
      <CountersignProvider client={client}>{children}</CountersignProvider>
    ),
  })
  expect(result.current).toMatchObject({ status: 'idle', progress: 0 })
  await act(() => result.current.upload({ file: new Blob(['words'], { type: 'text/plain' }), name: 'words' }))
  expect(result.current).toMatchObject({ status: 'success', progress: 1 })
  const errors: number[] = []
  await act(() =>
    result.current.upload(
      { file: new Blob(['<script>'], { type: 'text/html' }), name: 'page.html' },
      { onError: (error) => errors.push(error.code) },
    ),
  )
  expect(errors).toEqual([130])
  await waitFor(() => expect(result.current).toMatchObject({ status: 'error', error: { code: 130 } }))
})

test('a guest is refused by the server, and what is no file by the client', async () => {
  const client = await connect({ isGuest: true })
  await expect(uploadFile(client, { file: new Blob(['x']) })).rejects.toMatchObject({
    code: 130,
    message: 'File upload by public is disabled.',
  })
  await expect(uploadFile(client, { file: 'text' as unknown as Blob })).rejects.toThrow('file can only be')
})

test('a session that has ended elsewhere ends here too (209)', async () => {
  const client = await connect()
  const { results } = (await server.asMaster('GET', '/sessions')) as { results: { objectId: string }[] }
  for (const { objectId } of results) await server.asMaster('DELETE', `/sessions/${objectId}`)
  await expect(uploadFile(client, { file: new Blob(['x']), name: 'x.txt' })).rejects.toMatchObject({ code: 209 })
  expect(client.session.get().status).toBe('unauthenticated')
})

test.each([
  ['photo.png', 'photo.png'],
  ['Ünïcode näme.JPG', 'Unicode name.JPG'],
  ['../../etc/passwd', '_._etc_passwd'],
  ['.hidden', 'hidden'],
  ['照片.png', '__.png'],
  ['...', 'file'],
  ['', 'file'],
  [`${'x'.repeat(200)}.png`, `${'x'.repeat(124)}.png`],
])('the name %j goes to the server as %j', (given, sent) => {
  expect(fileName(given)).toBe(sent)
  expect(sent).toMatch(/^[_a-zA-Z0-9][a-zA-Z0-9@. ~_-]{0,127}$/)
})
