import { chromium } from '@playwright/test'
import { setup } from '../scripts/seedData.mjs'
import { chromiumOptions } from './lib/chromiumOptions.mjs'
import { createApi } from './lib/createApi.mjs'
import { createHolder } from './lib/createHolder.mjs'
import { signIn } from './lib/signIn.mjs'
import { startWorld } from './lib/startWorld.mjs'
process.env.CHROMIUM_PATH='/usr/bin/chromium'
await setup()
let t=Date.now(); const lap=(n)=>{console.log(n,Date.now()-t);t=Date.now()}
const world = await startWorld(); lap('world')
console.log(world)
const api=createApi(world.url)
const u = await createHolder(api,'ada.lovelace'); lap('holder')
const browser = await chromium.launch(chromiumOptions)
const page = await browser.newPage({baseURL:world.url, viewport:{width:1280,height:860}})
page.on('console',m=>console.log('console',m.text()))
await signIn(page,u)
await page.waitForTimeout(8000); lap('signin')
await page.screenshot({path:'/tmp/C-shots/debug.png'})
await page.goto('/account/portfolio'); await page.waitForTimeout(6000)
await page.screenshot({path:'/tmp/C-shots/debug2.png',fullPage:true})
await browser.close(); await world.stop()
