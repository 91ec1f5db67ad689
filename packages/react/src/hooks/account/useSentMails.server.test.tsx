import { act, renderHook, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { signUp } from '../../core/session/signUp.ts'
import { connectTo } from '../../testing/connectTo.ts'
import { inside } from '../../testing/inside.tsx'
import { serveTests } from '../../testing/serveTests.ts'
import { setUpPage } from '../../testing/setUpPage.ts'
import { useSentMails } from './useSentMails.ts'

setUpPage()
const server = serveTests({ verifyUserEmails: true })

test('the mails of a verified address are read for its owner, as soon as there is one', async () => {
  const { client } = await connectTo(server, { throwOnError: true })
  const { result } = renderHook(() => useSentMails(), inside({ client }))
  expect(result.current).toMatchObject({ status: 'error', error: { name: 'NotAuthenticatedError' } })
  const ada = await act(() => signUp(client, { username: 'ada', password: 'correct horse', email: 'ada@example.com' }))
  await waitFor(() => expect(result.current).toMatchObject({ status: 'success', data: [] }))

  await server.asMaster('PUT', `/users/${ada?.objectId}`, { emailVerified: true })
  await server.asMaster('POST', '/requestPasswordReset', { email: 'ada@example.com' })
  await waitFor(async () => {
    await act(async () => void (await result.current.refetch()))
    expect(result.current.data?.map(({ kind }) => kind)).toEqual(['passwordReset', 'verification'])
  })
  expect(result.current.data?.[0]?.at).toBeInstanceOf(Date)
})
