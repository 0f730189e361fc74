import { objectStoreContract } from './contract.ts'
import { s3Stores } from './open-s3.ts'
import { describeWithRadosgw } from './with-radosgw.ts'

describeWithRadosgw('objects in S3', (started) => objectStoreContract(s3Stores(started)))
