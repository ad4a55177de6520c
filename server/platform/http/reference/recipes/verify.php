<?php

function verify(string $secret, string $header, string $body, ?int $now = null): bool {
    $t = '';
    $given = [];
    foreach (explode(',', $header) as $part) {
        [$name, $value] = explode('=', trim($part), 2) + [1 => ''];
        if ($name === 't') $t = $value;
        if ($name === 'v1') $given[] = $value;
    }
    if (!ctype_digit($t) || abs(($now ?? time()) - (int) $t) > 300) return false;
    $expected = hash_hmac('sha256', "$t.$body", $secret);
    foreach ($given as $value) {
        if (hash_equals($expected, $value)) return true;
    }
    return false;
}
