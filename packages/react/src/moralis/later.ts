import { createContextActs } from './createContextActs.ts'
import { createSdkActs } from './createSdkActs.ts'
import { createUserActs } from './parse/createUserActs.ts'
import { followQuery } from './parse/followQuery.ts'
import { destroyAll, fetchAll, saveAll } from './parse/forAll.ts'
import { queryActs } from './parse/queryActs.ts'
import { readFileText, saveFile } from './parse/saveFile.ts'
import { saveObject } from './parse/saveObject.ts'
import { destroyObject, existsObject, fetchObject, sendObject } from './parse/sendObject.ts'
import { runPlugin } from './plugins/runPlugin.ts'
import { runSolanaApi, runWeb3Api } from './web3/runApi.ts'

/** What the older names do when they are called, in one piece, so that one request of the browser brings all of it. */
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
