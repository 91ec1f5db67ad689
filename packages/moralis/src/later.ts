import { createContextActs } from './createContextActs.ts'
import { createSdkActs } from './createSdkActs.ts'
import { createUserActs } from './parse/createUserActs.ts'
import {
  destroyAll,
  destroyObject,
  existsObject,
  fetchAll,
  fetchObject,
  saveAll,
  saveObject,
  sendObject,
} from './parse/objectActs.ts'
import { followQuery, queryActs } from './parse/queryActs.ts'
import { readFileText, saveFile } from './parse/saveFile.ts'
import { runPlugin } from './plugins/runPlugin.ts'
import { runSolanaApi, runWeb3Api } from './web3/runApi.ts'

/** Operations of the older names in one chunk, loaded by one request. */
export const later = {
  createContextActs,
  createSdkActs,
  createUserActs,
  destroyAll,
  destroyObject,
  existsObject,
  fetchAll,
  fetchObject,
  followQuery,
  queryActs,
  readFileText,
  runPlugin,
  runSolanaApi,
  runWeb3Api,
  saveAll,
  saveFile,
  saveObject,
  sendObject,
}
