import { initialize } from '@countersign/react/core'
import { createApp } from 'vue'
import App from './App.vue'
import { client } from './countersign.ts'

void initialize(client)
createApp(App).mount('#app')
