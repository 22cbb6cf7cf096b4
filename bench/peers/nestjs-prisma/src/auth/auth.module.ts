// Authentication of callers.

import { Module } from "@nestjs/common";
import { ApiKeysService } from "./api-keys.service.ts";
import { SignatureGuard } from "./signature.guard.ts";

@Module({ providers: [ApiKeysService, SignatureGuard], exports: [ApiKeysService, SignatureGuard] })
export class AuthModule {}
