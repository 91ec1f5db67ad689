// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// Answers every call with the same bytes: the magic value for anything, a wrong value, too few bytes, nothing.
contract FixedAnswer {
    bytes private answer;

    constructor(bytes memory bytes_) {
        answer = bytes_;
    }

    fallback(bytes calldata) external returns (bytes memory) {
        return answer;
    }
}
