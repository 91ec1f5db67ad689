import {
  createRemote,
  deleteRemote,
  getRemote,
  listRemotes,
  updateRemote,
} from '../../webhooks/parseCompat/saveRemote.ts'
import { defineEndpoint, type Endpoint } from '../Endpoint.ts'

export const remoteCodeEndpoints: Endpoint[] = [
  defineEndpoint('listRemoteFunctions', { handle: ({ context }) => listRemotes(context, 'functions') }),
  defineEndpoint('createRemoteFunction', {
    handle: ({ context, input: { url, ...name } }) => createRemote(context, name, url),
  }),
  defineEndpoint('getRemoteFunction', { handle: ({ context, params }) => getRemote(context, params) }),
  defineEndpoint('updateRemoteFunction', {
    handle: ({ context, params, input }) => updateRemote(context, params, input),
  }),
  defineEndpoint('deleteRemoteFunction', { handle: ({ context, params }) => deleteRemote(context, params) }),
  defineEndpoint('listRemoteHooks', { handle: ({ context }) => listRemotes(context, 'triggers') }),
  defineEndpoint('createRemoteHook', {
    handle: ({ context, input: { url, ...name } }) => createRemote(context, name, url),
  }),
  defineEndpoint('listRemoteHooksOfClass', {
    handle: ({ context, params }) => listRemotes(context, 'triggers', params.className),
  }),
  defineEndpoint('getRemoteHook', { handle: ({ context, params }) => getRemote(context, params) }),
  defineEndpoint('updateRemoteHook', { handle: ({ context, params, input }) => updateRemote(context, params, input) }),
  defineEndpoint('deleteRemoteHook', { handle: ({ context, params }) => deleteRemote(context, params) }),
]
