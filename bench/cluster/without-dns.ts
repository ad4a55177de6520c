import { Resolver } from 'node:dns/promises'

/* Loaded into the service's processes by bench/cluster/mailing.ts: no name server answers. */
Resolver.prototype.resolveTxt = () => Promise.reject(new Error('No name server answered.'))
